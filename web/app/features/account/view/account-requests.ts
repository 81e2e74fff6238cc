import { keepLanding, LOGIN_RETURN_PARAMETER } from '../../../http/landing';
import type { ProblemView } from '../../../http/problem';
import type { AccountView } from './account-view';

const PATIENCE_MS = 10_000;

/** What a script is told when nobody answers, or nobody of ours. */
const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

/** The account as it is now, or why it can't be had. Whoever has to log in again is sent there, and comes back. */
export const askForAccount = (): Promise<AccountView | ProblemView> => ask('/account/data');

/** Sends a form of the preferences; answers like {@link askForAccount}. */
export function sendPreference(form: FormData): Promise<AccountView | ProblemView> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  body.set('byScript', 'yes');
  return ask('/account/preferences', { method: 'POST', body });
}

async function ask(address: string, init?: RequestInit): Promise<AccountView | ProblemView> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status === 401) window.location.assign(loginAddress());
    const answer = await response.json();
    return response.ok ? answer : (answer.problem ?? UNREACHABLE);
  } catch {
    return UNREACHABLE;
  }
}

/** The login page, with the way back to where one is; in the dialog that is the account's page. */
function loginAddress(): string {
  const { pathname, search } = window.location;
  return keepLanding(`/login?${new URLSearchParams({ [LOGIN_RETURN_PARAMETER]: `${pathname}${search}` })}`, search);
}
