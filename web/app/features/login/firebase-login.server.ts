import { inSeconds, type LoginProvider } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import type { FirebaseSettings } from '../../../server/config/settings.ts';
import { readFields } from '../../http/form.server';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { signedCookie } from '../../session/cookies.server';
import type { Exchange } from '../../session/visitor.server';
import { failureDisplayOf } from './failures';
import { IdentityFailure } from './identity-client';
import { loginWithProblem, withReturnTo } from './login-address';
import type { PendingCredential } from './pending-credential';
import { isLoginProvider } from './providers';
import { finishRedirectLogin, type RedirectReply } from './redirect-login.server';

/** The provider redirects to it; registered there and among Firebase's authorized domains. */
const RETURN_PATH = '/login/return';

const PROVIDER_IDS = { google: 'google.com', facebook: 'facebook.com', apple: 'apple.com' } as const;
/** Firebase asks for the others' by itself. */
const SCOPES: Readonly<Partial<Record<LoginProvider, string>>> = { facebook: 'email' };

/** Identity Toolkit's error codes, as the codes that Firebase's client has for them. */
const FAILURES: Readonly<Record<string, string>> = {
  OPERATION_NOT_ALLOWED: 'auth/operation-not-allowed',
  UNAUTHORIZED_DOMAIN: 'auth/operation-not-allowed',
  USER_DISABLED: 'auth/user-disabled',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  INVALID_IDP_RESPONSE: 'auth/invalid-credential',
  INVALID_PENDING_TOKEN: 'auth/invalid-credential',
  EMAIL_EXISTS: 'auth/email-already-in-use',
  FEDERATED_USER_ID_ALREADY_LINKED: 'auth/credential-already-in-use',
};

/** A login under way: what its return must match. */
const Attempt = z.object({
  provider: z.custom<LoginProvider>(isLoginProvider),
  /** Binds the return to this browser, at Firebase. */
  sessionId: z.string(),
  state: z.string(),
  returnTo: z.string(),
  search: z.string(),
});

const attemptCookie = signedCookie('login', inSeconds.minutes(10), Attempt);

const AuthUri = z.object({ authUri: z.url({ protocol: /^https?$/ }), sessionId: z.string().min(1) });

interface LoginStep {
  readonly returnTo: string;
  readonly search: string;
}

/** Redirects to the provider's page. Firebase holds the provider's secret and later exchanges the code. */
export async function startFirebaseLogin(
  provider: LoginProvider,
  { returnTo, search }: LoginStep,
  { request, context }: Exchange,
): Promise<Response> {
  try {
    const body = {
      providerId: PROVIDER_IDS[provider],
      continueUri: new URL(RETURN_PATH, context.settings.publicUrl).href,
      authFlowType: 'CODE_FLOW',
      oauthScope: SCOPES[provider],
    };
    const { authUri, sessionId } = AuthUri.parse(
      await callToolkit('accounts:createAuthUri', body, { request, context }),
    );
    const address = new URL(authUri);
    const state = address.searchParams.get('state') ?? crypto.randomUUID();
    address.searchParams.set('state', state);
    await attemptCookie.write({ provider, sessionId, state, returnTo, search }, context);
    return redirect(address.href, 303);
  } catch (error) {
    request.signal.throwIfAborted();
    context.logger.error({ err: error }, 'could not start a login');
    const display = failureDisplayOf(error instanceof IdentityFailure ? error.code : 'auth/internal-error');
    const problem = display.shows === 'message' ? display.message : 'other';
    return redirect(withReturnTo(loginWithProblem(problem), { returnTo, search }), 303);
  }
}

/** Apple posts its answer. The cookie comes with the navigation that follows. */
export async function repeatReturn({ request, context }: ActionFunctionArgs): Promise<Response> {
  requireFirebase(context);
  return redirect(`${RETURN_PATH}?${await readFields(request, context)}`, 303);
}

/** Checks that this browser started the login, has Firebase exchange the code, and logs in. */
export async function finishFirebaseLogin({ request, context }: LoaderFunctionArgs): Promise<Response> {
  requireFirebase(context);
  const exchange = { request, context };
  const { search, searchParams } = new URL(request.url);
  const attempt = await attemptCookie.read(request, context);
  await attemptCookie.clear(context);
  if (!attempt || searchParams.get('state') !== attempt.state) {
    return redirect(withReturnTo(loginWithProblem('other'), { returnTo: attempt?.returnTo ?? '/', search: '' }), 303);
  }
  const { provider, returnTo, search: startSearch } = attempt;
  const requestUri = new URL(`${RETURN_PATH}${search}`, context.settings.publicUrl).href;
  const reply = searchParams.has('error')
    ? failure(searchParams.get('error') === 'server_error' ? 'auth/internal-error' : 'auth/user-cancelled')
    : await replyTo({ requestUri, sessionId: attempt.sessionId }, exchange);
  const link = (idToken: string, pending: PendingCredential) => linkCredential(idToken, pending, exchange);
  try {
    return await finishRedirectLogin(reply, { provider, returnTo, search: startSearch, link }, exchange);
  } catch (error) {
    // The API was unreachable, or refused the token.
    const problem = asApiError(error, { request, context }).status >= 500 ? 'network' : 'other';
    return redirect(withReturnTo(loginWithProblem(problem), { returnTo, search: startSearch }), 303);
  }
}

const failure = (code: string) => ({ kind: 'failure', code, email: null, providers: [], link: '' }) as const;

const Idp = z.object({
  idToken: z.string().optional(),
  email: z.string().optional(),
  /** The address has an account of another provider. */
  needConfirmation: z.boolean().optional(),
  verifiedProvider: z.array(z.string()).optional(),
  pendingToken: z.string().optional(),
  errorMessage: z.string().optional(),
});

async function replyTo(
  { requestUri, sessionId }: { readonly requestUri: string; readonly sessionId: string },
  exchange: Exchange,
): Promise<RedirectReply> {
  try {
    const body = { requestUri, sessionId, returnSecureToken: true, returnIdpCredential: true };
    const answer = Idp.parse(await callToolkit('accounts:signInWithIdp', body, exchange));
    const { idToken, email = null, needConfirmation, verifiedProvider = [], pendingToken = '' } = answer;
    if (needConfirmation) {
      const code = 'auth/account-exists-with-different-credential';
      const providers = verifiedProvider.flatMap((id) => providerOfId(id) ?? []);
      return { kind: 'failure', code, email, providers, link: pendingToken };
    }
    return idToken ? { kind: 'token', idToken, email } : failure(codeOf(answer.errorMessage ?? ''));
  } catch (error) {
    exchange.request.signal.throwIfAborted();
    exchange.context.logger.error({ err: error }, 'could not finish a login');
    return failure(error instanceof IdentityFailure ? error.code : 'auth/internal-error');
  }
}

async function linkCredential(idToken: string, { credential }: PendingCredential, exchange: Exchange): Promise<string> {
  if (!credential) throw new IdentityFailure('auth/linking-error');
  const requestUri = new URL(RETURN_PATH, exchange.context.settings.publicUrl).href;
  const body = { idToken, pendingToken: credential, requestUri, returnSecureToken: true, returnIdpCredential: true };
  const linked = Idp.parse(await callToolkit('accounts:signInWithIdp', body, exchange));
  if (!linked.idToken) throw new IdentityFailure(codeOf(linked.errorMessage ?? ''));
  return linked.idToken;
}

const providerOfId = (id: string): LoginProvider | undefined =>
  (Object.keys(PROVIDER_IDS) as LoginProvider[]).find((name) => PROVIDER_IDS[name] === id);

/** Identity Toolkit appends details: `INVALID_IDP_RESPONSE : The code has expired`. */
const codeOf = (message: string): string => FAILURES[message.split(/\s*:/, 1)[0] ?? ''] ?? 'auth/internal-error';

const ToolkitError = z.object({ error: z.object({ message: z.string() }) });

/** @throws IdentityFailure */
async function callToolkit(method: string, body: object, { request, context }: Exchange): Promise<unknown> {
  const { apiKey, emulatorUrl } = requireFirebase(context);
  const origin = emulatorUrl
    ? `${emulatorUrl}/identitytoolkit.googleapis.com`
    : 'https://identitytoolkit.googleapis.com';
  const response = await fetch(`${origin}/v1/${method}?${new URLSearchParams({ key: apiKey })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(context.settings.apiTimeoutMs)]),
  }).catch((cause: unknown) => {
    throw new IdentityFailure('auth/network-request-failed', { cause });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const known = ToolkitError.safeParse(answer);
  if (!known.success) throw new IdentityFailure('auth/network-request-failed', { cause: response.status });
  throw new IdentityFailure(codeOf(known.data.error.message), { cause: known.data.error.message });
}

/** @throws Response 404 unless Firebase is the identity provider */
function requireFirebase(context: AppLoadContext): FirebaseSettings {
  const { provider, firebase } = context.settings.identity;
  return provider === 'firebase' && firebase ? firebase : throwPageFor('request.not_found', context);
}
