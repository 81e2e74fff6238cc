import { inSeconds, type LoginProvider } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { preserveVersionParam } from '../../http/internal-address';
import { signedCookie } from '../../session/cookies.server';
import type { Exchange } from '../../session/visitor.server';
import { type Outcome, trackOperation } from '../telemetry/operations.server';
import { failureDisplayOf } from './failures';
import { signIn } from './login.server';
import { linkingAddress, loginWithProblem, withReturnTo } from './login-address';
import { destinationAfterLogin } from './newcomer';
import type { PendingCredential } from './pending-credential';
import { isLoginProvider } from './providers';

/** Without JavaScript; with JavaScript, session storage holds it. Kept for the login at the other provider. */
const pendingCookie = signedCookie(
  'pending',
  inSeconds.minutes(30),
  z.object({
    provider: z.custom<LoginProvider>(isLoginProvider),
    email: z.string().nullable(),
    credential: z.string(),
  }),
);

/** What an identity provider answered to a login without JavaScript. Codes are those of `failureDisplayOf`. */
export type RedirectReply =
  | { readonly kind: 'token'; readonly idToken: string; readonly email: string | null }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly email: string | null;
      /** Of the account with this address, when another provider's. */
      readonly providers: readonly LoginProvider[];
      /** Credential to link after a login with another provider. */
      readonly link: string;
    };

export interface RedirectLogin {
  readonly provider: LoginProvider;
  readonly returnTo: string;
  /** Of the login's page, for `v`. */
  readonly search: string;
  /** Links the credential of an earlier try. @returns a token of the account, which then has both */
  link(idToken: string, pending: PendingCredential): Promise<string>;
}

/** Logs in, or shows the failure. Tracked as a login. */
export const finishRedirectLogin = (
  reply: RedirectReply,
  login: RedirectLogin,
  exchange: Exchange,
): Promise<Response> => {
  const session: StartedSession = {};
  return trackOperation(
    { kind: 'login', details: { method: login.provider } },
    exchange,
    () => continueAfter(reply, login, exchange, session),
    () => ({ ...outcomeOf(reply), ...session }),
  );
};

interface StartedSession {
  token?: string;
}

/** Scripts track their logins themselves. */
function outcomeOf(reply: RedirectReply): Outcome {
  if (reply.kind === 'token') return { step: 'completed' };
  const step = failureDisplayOf(reply.code).shows === 'nothing' ? 'canceled' : 'failed';
  return { step, errorCode: reply.code };
}

async function continueAfter(
  reply: RedirectReply,
  { provider, returnTo, search, link }: RedirectLogin,
  exchange: Exchange,
  session: StartedSession,
): Promise<Response> {
  const { context } = exchange;
  const to = (address: string) => redirect(withReturnTo(address, { returnTo, search }), 303);
  if (reply.kind === 'token') {
    const { idToken, problemPage } = await linkPending(reply, link, exchange);
    const { user, next, token } = await signIn(idToken, exchange);
    session.token = token;
    if (problemPage) return to(problemPage);
    const destination = next ?? destinationAfterLogin(user, returnTo);
    return redirect(preserveVersionParam(destination, search), 303);
  }
  const display = failureDisplayOf(reply.code);
  switch (display.shows) {
    case 'linking':
      await pendingCookie.write({ provider, email: reply.email, credential: reply.link }, context);
      return to(linkingAddress(provider, reply.providers[0] ?? null));
    case 'linkingFailed':
      return to('/login/linking-failed');
    case 'notSupported':
      return to('/login/not-supported');
    case 'message':
      return to(loginWithProblem(display.message));
    default:
      return to('/login');
  }
}

interface Linked {
  readonly idToken: string;
  /** Says why the pending credential was not linked. */
  readonly problemPage: string | null;
}

/** A failure doesn't prevent the login. */
async function linkPending(
  { idToken, email }: Extract<RedirectReply, { kind: 'token' }>,
  link: RedirectLogin['link'],
  exchange: Exchange,
): Promise<Linked> {
  const pending = await pendingCookie.read(exchange.request, exchange.context);
  if (!pending) return { idToken, problemPage: null };
  await pendingCookie.clear(exchange.context);
  if (pending.email?.toLowerCase() !== email?.toLowerCase()) return { idToken, problemPage: '/login/different-email' };
  try {
    const operation = { kind: 'accountLinking', details: { provider: pending.provider } } as const;
    const linked = await trackOperation(operation, exchange, () => link(idToken, pending));
    return { idToken: linked, problemPage: null };
  } catch (error) {
    exchange.context.logger.error({ err: error }, 'could not link a login');
    return { idToken, problemPage: '/login/linking-failed' };
  }
}
