import type { ErrorCode, LoginProvider, Role } from '@clearframe/contract';
import type { ProblemView } from '../../http/browser-client';
import { report, track } from '../../telemetry/telemetry';
import type { Modals } from '../modals/create-modals';
import { type FailureMessage, failureDisplayOf } from './failures';
import { type IdentityClient, IdentityFailure, type SignedIn } from './identity-client';
import { storePending, takePending } from './pending-credential';

export type LoginProblem =
  | { readonly kind: 'failed'; readonly message: FailureMessage }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export type LoginOutcome =
  | { readonly kind: 'done'; readonly done: LoginDone }
  | { readonly kind: 'problem'; readonly problem: LoginProblem }
  | { readonly kind: 'ended' };

export interface LoginContext {
  readonly client: IdentityClient;
  readonly open: Modals['open'];
  readonly returnTo: string;
}

class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
  readonly code: ErrorCode;

  constructor({ code }: ProblemView) {
    super(code);
    this.code = code;
  }
}

type Method = LoginProvider | 'one_tap';

export const logIn = (provider: LoginProvider, context: LoginContext): Promise<LoginOutcome> =>
  run(provider, context, () => context.client.signIn(provider));

export const logInWith = (
  method: Method,
  context: LoginContext,
  authenticate: () => Promise<SignedIn>,
): Promise<LoginOutcome> => run(method, context, authenticate);

async function run(
  method: Method,
  context: LoginContext,
  authenticate: () => Promise<SignedIn>,
): Promise<LoginOutcome> {
  track('login', { operation: 'started', method });
  try {
    const signedIn = await linkPending(await authenticate(), context);
    const done = await complete(signedIn.idToken);
    track('login', { operation: 'completed', method });
    return { kind: 'done', done };
  } catch (error) {
    return showFailure(error, method, context);
  }
}

/** Links a pending credential. A failure doesn't prevent the login. */
async function linkPending(signedIn: SignedIn, { client, open }: LoginContext): Promise<SignedIn> {
  const pending = takePending();
  if (!pending) return signedIn;
  const { provider, email } = pending;
  if (email && signedIn.email && email.toLowerCase() !== signedIn.email.toLowerCase()) {
    const choice = await open('login:different-email', { provider });
    if (choice !== 'link') return signedIn;
  }
  track('accountLinking', { operation: 'started', provider });
  try {
    const linked = await client.link(signedIn, pending);
    track('accountLinking', { operation: 'completed', provider });
    return linked;
  } catch (error) {
    track('accountLinking', { operation: 'failed', provider, errorCode: codeOf(error) });
    report(error);
    await open('login:linking-failed', {});
    return signedIn;
  }
}

async function complete(idToken: string): Promise<LoginDone> {
  const headers = { accept: 'application/json' };
  const body = new URLSearchParams({ idToken });
  const response = await fetch('/login/complete', { method: 'POST', headers, body }).catch((cause: unknown) => {
    throw new IdentityFailure('auth/network-request-failed', { cause });
  });
  const answer = (await response.json()) as LoginDone & { readonly problem?: ProblemView };
  if (answer.problem) throw new LoginRefused(answer.problem);
  return answer;
}

const codeOf = (error: unknown): string =>
  error instanceof IdentityFailure || error instanceof LoginRefused ? error.code : 'unknown';

async function showFailure(error: unknown, method: Method, context: LoginContext): Promise<LoginOutcome> {
  const errorCode = codeOf(error);
  const display = failureDisplayOf(errorCode);
  track('login', { operation: display.shows === 'nothing' ? 'canceled' : 'failed', method, errorCode });
  if (error instanceof LoginRefused) return { kind: 'problem', problem: { kind: 'refused', code: error.code } };
  if (errorCode === 'unknown') report(error);
  switch (display.shows) {
    case 'nothing':
      return { kind: 'ended' };
    case 'redirect':
      if (method !== 'one_tap') await context.client.redirect(method, context.returnTo);
      return { kind: 'ended' };
    case 'notSupported':
      await context.open('login:not-supported', {});
      return { kind: 'ended' };
    case 'linkingFailed':
      report(error);
      await context.open('login:linking-failed', {});
      return { kind: 'ended' };
    case 'linking':
      return offerLinking(error, method, context);
    case 'message':
      return { kind: 'problem', problem: { kind: 'failed', message: display.message } };
  }
}

async function offerLinking(error: unknown, method: Method, context: LoginContext): Promise<LoginOutcome> {
  const linking = error instanceof IdentityFailure ? error.linking : null;
  if (!linking || method === 'one_tap') {
    // 'Account linking error' (spec 1, section 5): the provider named no credential.
    report(error);
    return { kind: 'problem', problem: { kind: 'failed', message: 'linking' } };
  }
  storePending(linking.pending);
  const choice = await context.open('login:linking', { attempted: method, original: linking.providers[0] ?? null });
  return choice === 'dismissed' ? { kind: 'ended' } : logIn(choice, context);
}

export interface LoginDone {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly role: Role;
  /** Next page of an external onboarding, or null. */
  readonly next: string | null;
}
