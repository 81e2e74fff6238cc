import { LOGIN_RETURN_PARAMETER, preserveVersionParam } from '../../../http/landing';
import type { ProblemView } from '../../../http/problem';
import type { AccountView } from './account-view';

const TIMEOUT_MS = 10_000;

/** For requests without a response, or with one of a proxy. */
const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

/** The current account, or why it is unavailable. An ended session leads to the login page and back. */
export const fetchAccount = (): Promise<AccountView | ProblemView> => ask('/account/data');

/** Sends a form of the preferences; answers like {@link fetchAccount}. */
export function sendPreference(form: FormData): Promise<AccountView | ProblemView> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  body.set('byScript', 'yes');
  return ask('/account/preferences', { method: 'POST', body });
}

async function ask(address: string, init?: RequestInit): Promise<AccountView | ProblemView> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
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
  return preserveVersionParam(
    `/login?${new URLSearchParams({ [LOGIN_RETURN_PARAMETER]: `${pathname}${search}` })}`,
    search,
  );
}
