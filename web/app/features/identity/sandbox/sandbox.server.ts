import { sandboxRoutes } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { ApiError, callApi } from '../../../http/api.server';
import { readFields } from '../../../http/form/form.server';
import { preserveVersionParam } from '../../../http/internal-address';
import type { ProblemView } from '../../../http/problem';
import { asApiError, problemViewOf, throwPageFor } from '../../../http/problem.server';
import type { Exchange } from '../../../session/visitor.server';
import { type Outcome, trackOperation } from '../../telemetry/operations.server';
import { failureDisplayOf } from '../client/failures';
import { isLoginProvider, LOGIN_PROVIDER_LIST } from '../client/providers';
import type { SandboxReply } from '../client/sandbox-reply';
import { signIn } from '../login/login.server';
import { destinationIn, linkingAddress, loginWithProblem, withReturnTo } from '../login/login-address';
import { destinationAfterLogin } from '../login/newcomer';
import { setPendingCookie, takePendingCookie } from './pending-cookie.server';
import { parseSandbox, type SandboxChoice } from './sandbox-form';
import { isProviderScenario, PROVIDER_FAILURES } from './sandbox-scenarios';

const NO_STORE = { 'cache-control': 'no-store' };

/** 404 unless the sandbox is the identity provider. */
function requireSandbox(context: AppLoadContext): void {
  if (context.settings.identity.provider !== 'sandbox') throwPageFor('request.not_found', context);
}

export function loadSandbox({ request, context }: LoaderFunctionArgs) {
  requireSandbox(context);
  const query = new URL(request.url).searchParams;
  const provider = query.get('provider');
  return data(
    {
      provider: isLoginProvider(provider) ? provider : LOGIN_PROVIDER_LIST[0],
      isPopup: query.get('display') === 'popup',
    },
    { headers: NO_STORE },
  );
}

/** Logs in or fails as chosen: replies to the popup's opener, or redirects without JavaScript. */
export async function sandboxAction({ request, context }: ActionFunctionArgs) {
  requireSandbox(context);
  const { search, searchParams } = new URL(request.url);
  const submission = parseSandbox(await readFields(request, context));
  if (submission.status !== 'success') {
    if (!submission.error?.email) return throwPageFor('request.invalid', context);
    return respond({ result: submission.reply() }, 422);
  }
  const choice = submission.value;
  const isPopup = searchParams.get('display') === 'popup';
  try {
    const reply = choice.cancel ? failure('auth/popup-closed-by-user', choice) : await simulateLogin(choice, context);
    if (isPopup) return respond({ reply });
    const operation = { kind: 'login', details: { method: choice.provider } } as const;
    return await trackOperation(
      operation,
      { request, context },
      () => redirectBack(reply, choice, { request, context, search }),
      () => outcomeOf(reply),
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    const problem = asApiError(error, context);
    // Server errors close the popup; other errors can be corrected in it.
    if (problem.status >= 500 && isPopup) return respond({ reply: failure('auth/network-request-failed', choice) });
    return respond({ problem: problemViewOf(problem), result: submission.reply() }, problem.status);
  }
}

interface SandboxResponse {
  readonly reply: SandboxReply | null;
  readonly problem: ProblemView | null;
  readonly result: SubmissionResult | null;
}

const respond = (parts: Partial<SandboxResponse>, status = 200) =>
  data<SandboxResponse>({ reply: null, problem: null, result: null, ...parts }, { status, headers: NO_STORE });

async function simulateLogin(choice: SandboxChoice, context: AppLoadContext): Promise<SandboxReply> {
  const { provider, email, scenario } = choice;
  if (scenario && isProviderScenario(scenario)) {
    const others = LOGIN_PROVIDER_LIST.filter((other) => other !== provider).slice(0, 1);
    const isLinking = scenario === 'account_exists' || scenario === 'email_in_use';
    return {
      ...failure(PROVIDER_FAILURES[scenario], choice),
      providers: isLinking ? others : [],
      link: scenario === 'email_in_use' ? 'auth/email-already-in-use' : '',
    };
  }
  try {
    const { idToken } = await callApi(
      sandboxRoutes.issueIdentityToken,
      { body: { provider, email, scenario, onlyLinked: true } },
      { context },
    );
    return { kind: 'token', idToken, email };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sandbox.account_exists') throw error;
    const known = error.details?.providers;
    const providers = Array.isArray(known) ? known.filter(isLoginProvider) : [];
    return { ...failure('auth/account-exists-with-different-credential', choice), providers };
  }
}

/** Scripts track their logins themselves. */
function outcomeOf(reply: SandboxReply): Outcome {
  if (reply.kind === 'token') return { step: 'completed' };
  const step = failureDisplayOf(reply.code).shows === 'nothing' ? 'canceled' : 'failed';
  return { step, errorCode: reply.code };
}

const failure = (code: string, { email }: SandboxChoice) =>
  ({ kind: 'failure', code, email: email || null, providers: [], link: '' }) as const;

interface SandboxRequest {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly search: string;
}

/** Without JavaScript: logs in, or shows the failure. */
async function redirectBack(
  reply: SandboxReply,
  choice: SandboxChoice,
  { request, context, search }: SandboxRequest,
): Promise<Response> {
  const headers = new Headers(NO_STORE);
  const returnTo = destinationIn(search);
  const to = (address: string) => redirect(withReturnTo(address, { returnTo, search }), { status: 303, headers });
  if (reply.kind === 'token') {
    const linking = await linkPending(reply.idToken, choice, { request, context, headers });
    const { user, next } = await signIn(reply.idToken, { request, context, headers });
    if (linking) return to(linking);
    const destination = next ?? destinationAfterLogin(user, returnTo);
    return redirect(preserveVersionParam(destination, search), { status: 303, headers });
  }
  const display = failureDisplayOf(reply.code);
  switch (display.shows) {
    case 'linking': {
      const { provider } = choice;
      await setPendingCookie({ provider, email: reply.email, credential: reply.link }, headers, context);
      return to(linkingAddress(provider, reply.providers[0] ?? null));
    }
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

/** @returns the page of a failure to link the pending credential; null otherwise */
async function linkPending(idToken: string, { email }: SandboxChoice, exchange: Exchange): Promise<string | null> {
  const { context } = exchange;
  const pending = await takePendingCookie(exchange);
  if (!pending) return null;
  if (pending.email?.toLowerCase() !== email.toLowerCase()) return '/login/different-email';
  if (pending.credential) return '/login/linking-failed';
  const body = { provider: pending.provider, email, linkTo: idToken };
  try {
    await trackOperation({ kind: 'accountLinking', details: { provider: pending.provider } }, exchange, () =>
      callApi(sandboxRoutes.issueIdentityToken, { body }, { context }),
    );
    return null;
  } catch (error) {
    context.logger.error({ err: error }, 'could not link a login');
    return '/login/linking-failed';
  }
}
