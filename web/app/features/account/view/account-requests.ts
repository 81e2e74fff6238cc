import { TIME_LIMITS } from '@clearframe/contract';
import { LOGIN_RETURN_PARAMETER, preserveVersionParam } from '../../../http/internal-address';
import type { ProblemView } from '../../../http/problem';
import type { AccountView } from './account-view';

const TIMEOUT_MS = TIME_LIMITS.call.browser;

/** Without a response, or with a proxy's. */
const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

/** The account, or why it is unavailable. An ended session redirects to the login page. */
export const fetchAccount = (): Promise<AccountView | ProblemView> => request('/account/data');

let lastPreference: Promise<unknown> = Promise.resolve();

/**
 * Sends a preference form; returns the changed account like {@link fetchAccount}. One after another: the last change
 * wins, and its answer has those before.
 */
export function sendPreference(form: FormData): Promise<AccountView | ProblemView> {
  form.set('byScript', 'yes');
  const answer = lastPreference.then(() => sendForm<AccountView>('/account/preferences', form));
  lastPreference = answer;
  return answer;
}

/** Sends a form without files. An ended session redirects to the login page. */
export function sendForm<Result extends object>(path: string, form: FormData): Promise<Result | ProblemView> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  return request(path, { method: 'POST', body });
}

async function request<Result extends object>(path: string, init?: RequestInit): Promise<Result | ProblemView> {
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) window.location.assign(loginAddress());
    const body = await response.json();
    return response.ok ? body : (body.problem ?? UNREACHABLE);
  } catch {
    return UNREACHABLE;
  }
}

/** The login page, returning to the current page, or to the account's when in the dialog. */
function loginAddress(): string {
  const { pathname, search } = window.location;
  return preserveVersionParam(
    `/login?${new URLSearchParams({ [LOGIN_RETURN_PARAMETER]: `${pathname}${search}` })}`,
    search,
  );
}
