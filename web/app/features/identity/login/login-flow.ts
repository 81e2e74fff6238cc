import type { ErrorCode, LoginProvider, Role } from '@clearframe/contract';
import type { ProblemView } from '../../../http/problem';
import { report, track } from '../../../http/telemetry';
import type { Modals } from '../../modals/create-modals';
import { type FailureMessage, shownFor } from '../client/failures';
import { type IdentityClient, IdentityFailure, type SignedIn } from '../client/identity-client';
import { keepPending, takePending } from '../client/pending-credential';

export type LoginProblem =
  | { readonly kind: 'failed'; readonly message: FailureMessage }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export type LoginOutcome =
  | { readonly kind: 'done'; readonly done: LoginDone }
  | { readonly kind: 'problem'; readonly problem: LoginProblem }
  /** Nothing to say: it was the visitor's wish, or a modal has said it. */
  | { readonly kind: 'ended' };

/** What the flow needs of the page. */
export interface LoginParts {
  readonly client: IdentityClient;
  readonly open: Modals['open'];
  /** Where to come back to when the provider's page takes the place of ours. */
  readonly returnTo: string;
}

/** The backend has refused what the provider gave. */
class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
  readonly code: ErrorCode;

  constructor({ code }: ProblemView) {
    super(code);
    this.code = code;
  }
}

type Method = LoginProvider | 'one_tap';

/** Signs in by a provider's button: its window, a credential that was left over, our own session. */
export const logIn = (provider: LoginProvider, parts: LoginParts): Promise<LoginOutcome> =>
  run(provider, parts, () => parts.client.signIn(provider));

/** Signs in with what the provider has given already: after a redirect, or by Google's prompt. */
export const logInWith = (method: Method, parts: LoginParts, give: () => Promise<SignedIn>): Promise<LoginOutcome> =>
  run(method, parts, give);

async function run(method: Method, parts: LoginParts, give: () => Promise<SignedIn>): Promise<LoginOutcome> {
  track('login', { operation: 'started', method });
  try {
    const signedIn = await linkPending(await give(), parts);
    const done = await complete(signedIn.idToken);
    track('login', { operation: 'completed', method });
    return { kind: 'done', done };
  } catch (error) {
    return explain(error, method, parts);
  }
}

/** Adds what was left over by a login before; when that is not to be, the visitor is signed in all the same. */
async function linkPending(signedIn: SignedIn, { client, open }: LoginParts): Promise<SignedIn> {
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
    track('accountLinking', { operation: 'failed', provider, reason: reasonOf(error) });
    report(error);
    await open('login:linking-failed', {});
    return signedIn;
  }
}

async function complete(idToken: string): Promise<LoginDone> {
  const answer = await fetch('/login/complete', { method: 'POST', body: new URLSearchParams({ idToken }) }).catch(
    (cause: unknown) => {
      throw new IdentityFailure('auth/network-request-failed', { cause });
    },
  );
  const body = (await answer.json()) as LoginDone & { readonly problem?: ProblemView };
  if (body.problem) throw new LoginRefused(body.problem);
  return body;
}

const reasonOf = (error: unknown): string =>
  error instanceof IdentityFailure || error instanceof LoginRefused ? error.code : 'unknown';

/** Shows what the failure table says. */
async function explain(error: unknown, method: Method, parts: LoginParts): Promise<LoginOutcome> {
  const reason = reasonOf(error);
  const shown = shownFor(reason);
  track('login', { operation: shown.shows === 'nothing' ? 'canceled' : 'failed', method, reason });
  if (error instanceof LoginRefused) return { kind: 'problem', problem: { kind: 'refused', code: error.code } };
  if (reason === 'unknown') report(error);
  switch (shown.shows) {
    case 'nothing':
      return { kind: 'ended' };
    case 'redirect':
      if (method !== 'one_tap') await parts.client.redirect(method, parts.returnTo);
      return { kind: 'ended' };
    case 'notSupported':
      await parts.open('login:not-supported', {});
      return { kind: 'ended' };
    case 'linkingFailed':
      report(error);
      await parts.open('login:linking-failed', {});
      return { kind: 'ended' };
    case 'linking':
      return offerLinking(error, method, parts);
    case 'message':
      return { kind: 'problem', problem: { kind: 'failed', message: shown.message } };
  }
}

/** Keeps the credential for the next login, and leads to the provider that the account was made with. */
async function offerLinking(error: unknown, method: Method, parts: LoginParts): Promise<LoginOutcome> {
  const linking = error instanceof IdentityFailure ? error.linking : null;
  if (!linking || method === 'one_tap') {
    // 'Account linking error' (spec 1, section 5): the provider did not say what there is to link.
    report(error);
    return { kind: 'problem', problem: { kind: 'failed', message: 'linking' } };
  }
  keepPending(linking.pending);
  const choice = await parts.open('login:linking', { attempted: method, original: linking.providers[0] ?? null });
  return choice === 'dismissed' ? { kind: 'ended' } : logIn(choice, parts);
}

/** Result of a login; the session cookies are set. */
export interface LoginDone {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly role: Role;
  /** Where an onboarding elsewhere wants to go on, or null. */
  readonly next: string | null;
}
