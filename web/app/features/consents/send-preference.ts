import { type Answer, send } from '../../http/browser-client';

let last: Promise<unknown> = Promise.resolve();

/**
 * Sends a preference form, which answers with the changed `Account`. One after another: the last change wins, and its
 * answer has those before.
 */
export function sendPreference<Account>(form: FormData): Promise<Answer<Account>> {
  const answer = last.then(() => send<Account>('/account/preferences', form));
  last = answer;
  return answer;
}
