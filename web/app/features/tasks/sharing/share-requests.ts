import { TIME_LIMITS } from '@clearframe/contract';
import type { ProblemView } from '../../../http/problem';
import { SHARE_LINK_ADDRESS, type ShareLink } from './share-view';

const TIMEOUT_MS = TIME_LIMITS.call.browser;

export type ShareResponse =
  | { readonly link: ShareLink | null; readonly problem?: undefined }
  | { readonly problem: ProblemView };

/** For requests without a response, or with a proxy's. */
const UNREACHABLE: ShareResponse = { problem: { code: 'service.unavailable', requestId: '' } };

export const fetchShareLink = (taskId: string): Promise<ShareResponse> =>
  request(`${SHARE_LINK_ADDRESS}?${new URLSearchParams({ taskId })}`);

export function sendShareForm(form: FormData): Promise<ShareResponse> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  body.set('byScript', 'yes');
  return request(SHARE_LINK_ADDRESS, { method: 'POST', body });
}

async function request(path: string, init?: RequestInit): Promise<ShareResponse> {
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.json();
    return response.ok || body.problem ? body : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}
