export { loadAccountData as loader } from './account.server';
