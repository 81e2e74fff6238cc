import { type Answer, read, send } from '../../../http/browser-client';
import type { AccountView } from './account-view';

export const ACCOUNT_DATA = '/account/data';

export const fetchAccount = (): Promise<AccountView> => read(ACCOUNT_DATA);

let lastPreference: Promise<unknown> = Promise.resolve();

/**
 * Sends a preference form, which answers with the changed account. One after another: the last change wins, and its
 * answer has those before.
 */
export function sendPreference(form: FormData): Promise<Answer<AccountView>> {
  const answer = lastPreference.then(() => send<AccountView>('/account/preferences', form));
  lastPreference = answer;
  return answer;
}
