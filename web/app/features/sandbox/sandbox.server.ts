import { type LoginProvider, sandboxRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/landing';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { shownFor } from '../identity/client/failures';
import { isLoginProvider, LOGIN_PROVIDER_LIST } from '../identity/client/providers';
import type { SandboxReply } from '../identity/client/sandbox-reply';
import { signIn } from '../identity/login/login.server';
import { destinationIn, linkingAddress, loginWithProblem, onTheWay } from '../identity/login/login-address';
import { setPendingCookie, takePendingCookie } from './pending-cookie.server';
import { isProviderScenario, PROVIDER_SCENARIOS, tokenScenarioOf } from './sandbox-scenarios';

const NO_STORE = { 'cache-control': 'no-store' };

/** Where another provider signs people in, this page does not exist. */
function refuseElsewhere(context: AppLoadContext): void {
  if (context.settings.identity.provider !== 'sandbox') throwPageFor('request.not_found', context);
}

export function loadSandbox({ request, context }: LoaderFunctionArgs) {
  refuseElsewhere(context);
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

interface Choice {
  readonly provider: LoginProvider;
  readonly email: string;
  readonly scenario: string;
}

/** Signs in, or fails, as was chosen: for the window that waits, or for a browser without script. */
export async function answerSandbox({ request, context }: ActionFunctionArgs) {
  refuseElsewhere(context);
  const { search, searchParams } = new URL(request.url);
  const form = await readFields(request, context);
  const provider = form.get('provider');
  if (!isLoginProvider(provider)) return throwPageFor('request.invalid', context);
  const choice = { provider, email: (form.get('email') ?? '').trim(), scenario: form.get('scenario') ?? '' };
  try {
    const reply = form.has('cancel') ? failure('auth/popup-closed-by-user', choice) : await act(choice, context);
    if (searchParams.get('display') === 'popup') return data({ reply, problem: null }, { headers: NO_STORE });
    return await redirectBack(reply, choice, { request, context, search });
  } catch (error) {
    if (error instanceof Response) throw error;
    const problem = asApiError(error, context);
    // A window that stayed open would leave the page behind it waiting. What the visitor can mend is said in the window.
    if (problem.status >= 500 && searchParams.get('display') === 'popup') {
      return data({ reply: failure('auth/network-request-failed', choice), problem: null }, { headers: NO_STORE });
    }
    return data({ reply: null, problem: problemViewOf(problem) }, { status: problem.status, headers: NO_STORE });
  }
}

async function act(choice: Choice, context: AppLoadContext): Promise<SandboxReply> {
  const { provider, email, scenario } = choice;
  if (isProviderScenario(scenario)) {
    const others = LOGIN_PROVIDER_LIST.filter((other) => other !== provider).slice(0, 1);
    const isLinking = scenario === 'account_exists' || scenario === 'email_in_use';
    return {
      ...failure(PROVIDER_SCENARIOS[scenario], choice),
      providers: isLinking ? others : [],
      link: scenario === 'email_in_use' ? 'auth/email-already-in-use' : '',
    };
  }
  try {
    const { idToken } = await callApi(
      sandboxRoutes.issueIdentityToken,
      { body: { provider, email, scenario: tokenScenarioOf(scenario), onlyLinked: true } },
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

const failure = (code: string, { email }: Choice) =>
  ({ kind: 'failure', code, email: email || null, providers: [], link: '' }) as const;

interface Way {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly search: string;
}

/** What the page that waits does with script, without it: signs in, or shows what went wrong. */
async function redirectBack(reply: SandboxReply, choice: Choice, { request, context, search }: Way): Promise<Response> {
  const headers = new Headers(NO_STORE);
  const returnTo = destinationIn(search);
  const to = (address: string) => redirect(onTheWay(address, { returnTo, search }), { status: 303, headers });
  if (reply.kind === 'token') {
    const linking = await linkPending(reply.idToken, choice, { request, context, headers });
    const { next } = await signIn(reply.idToken, { request, context, headers });
    return linking ? to(linking) : redirect(preserveVersionParam(next ?? returnTo, search), { status: 303, headers });
  }
  const shown = shownFor(reply.code);
  switch (shown.shows) {
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
      return to(loginWithProblem(shown.message));
    default:
      return to('/login');
  }
}

/** @returns the page that says why nothing was linked, or null when there is nothing to say */
async function linkPending(
  idToken: string,
  { email }: Choice,
  { request, context, headers }: { request: Request; context: AppLoadContext; headers: Headers },
): Promise<string | null> {
  const pending = await takePendingCookie(request, headers, context);
  if (!pending) return null;
  if (pending.email?.toLowerCase() !== email.toLowerCase()) return '/login/different-email';
  if (pending.credential) return '/login/linking-failed';
  const body = { provider: pending.provider, email, linkTo: idToken };
  try {
    await callApi(sandboxRoutes.issueIdentityToken, { body }, { context });
    return null;
  } catch (error) {
    context.logger.error({ err: error }, 'a login could not be linked');
    return '/login/linking-failed';
  }
}
