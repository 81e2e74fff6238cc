import { read } from '../../http/browser-client';
import type { AccountView } from './account-view.server';

export const ACCOUNT_DATA = '/account/data';

export const fetchAccount = (): Promise<AccountView> => read(ACCOUNT_DATA);
