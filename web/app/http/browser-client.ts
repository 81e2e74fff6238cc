import type { ErrorCode, ReachedVideoLimit } from '@clearframe/contract';
import { loginAddress } from './internal-address';

/** The code is translated; the visitor quotes the id to support. */
export interface ProblemView {
  readonly code: ErrorCode;
  readonly requestId: string;
  /** Details of `videos.limit_reached`. */
  readonly limit?: ReachedVideoLimit;
}

const TIMEOUT_MS = 15_000;
/** Longer than the answer to a login takes once it has ended the guest's session. */
const LOGIN_MS = 1_500;

/** Without a response, or with a proxy's. */
export const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

export type Answer<Body> =
  | { readonly body: Body; readonly problem: null }
  | { readonly body: null; readonly problem: ProblemView };

type Fields = FormData | URLSearchParams | Readonly<Record<string, string>>;

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly problem: ProblemView;
  /** Null without a response. */
  readonly status: number | null;

  constructor(address: string, problem: ProblemView, status: number | null) {
    super(`${address} failed with ${problem.code}`);
    this.problem = problem;
    this.status = status;
  }
}

/**
 * Gets JSON.
 * @param isRepeated once without a session, for a page's polls: a login ends the guest's before the member's arrives
 * @throws RequestError
 */
export async function read<Body>(address: string, isRepeated = false): Promise<Body> {
  let { answer, status } = await request<Body>(address, {}, TIMEOUT_MS);
  if (status === 401 && isRepeated) {
    await new Promise((resolve) => setTimeout(resolve, LOGIN_MS));
    ({ answer, status } = await request<Body>(address, {}, TIMEOUT_MS));
  }
  if (status === 401) return reloadPage();
  if (answer.problem) throw new RequestError(address, answer.problem, status);
  return answer.body;
}

/**
 * Sends a form without files as a script, which gets JSON and no redirect. Never throws.
 * @param timeoutMs where the server waits longer
 */
export async function send<Body>(address: string, fields: Fields, timeoutMs = TIMEOUT_MS): Promise<Answer<Body>> {
  const body = new URLSearchParams(textsOf(fields));
  const { answer, status } = await request<Body>(address, { method: 'POST', body }, timeoutMs);
  return status === 401 ? reloadPage() : answer;
}

/** Sends a form that a redirect answers, also while the page is left. @returns whether it was accepted */
export async function submit(address: string, fields: Fields): Promise<boolean> {
  const body = new URLSearchParams(textsOf(fields));
  try {
    const response = await fetch(address, { method: 'POST', body, redirect: 'manual', keepalive: true });
    return response.type === 'opaqueredirect';
  } catch {
    return false;
  }
}

/**
 * The page explains that its session has ended, or that its subject is deleted. Doesn't settle: another poll would start
 * the reload over, and a page that takes longer to load would never appear.
 */
export function reloadPage(): Promise<never> {
  const { pathname, search } = window.location;
  // Guests have an account too, whose page would explain nothing.
  if (pathname.startsWith('/account')) window.location.assign(loginAddress(`${pathname}${search}`, search));
  else window.location.reload();
  return new Promise(() => {});
}

async function request<Body>(address: string, init: RequestInit, timeoutMs: number) {
  let status: number | null = null;
  const fail = (problem: ProblemView): Answer<Body> => ({ body: null, problem });
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    ({ status } = response);
    const body: unknown = await response.json();
    return { answer: response.ok ? { body: body as Body, problem: null } : fail(problemIn(body)), status };
  } catch {
    return { answer: fail(UNREACHABLE), status };
  }
}

/** Checked by hand: pages load no schemas. */
function problemIn(body: unknown): ProblemView {
  if (typeof body !== 'object' || body === null || !('problem' in body)) return UNREACHABLE;
  const { problem } = body;
  const isProblem =
    typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string';
  return isProblem ? (problem as ProblemView) : UNREACHABLE;
}

const textsOf = (fields: Fields): [string, string][] =>
  [...(fields instanceof FormData || fields instanceof URLSearchParams ? fields : Object.entries(fields))].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
