export { answerAccount as loader } from '../features/account/account.server';
