export { loadAccountData as loader } from '../features/account/account.server';
