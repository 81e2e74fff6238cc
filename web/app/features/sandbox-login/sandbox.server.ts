import { sandboxRoutes } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';
import type { ProblemView } from '../../http/browser-client';
import { readFields } from '../../http/form.server';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { IdentityFailure } from '../login/identity-client';
import { destinationIn } from '../login/login-address';
import type { PendingCredential } from '../login/pending-credential';
import { isLoginProvider, LOGIN_PROVIDER_LIST } from '../login/providers';
import { finishRedirectLogin, type RedirectLogin } from '../login/redirect-login.server';
import type { SandboxReply } from '../login/sandbox-reply';
import { parseSandbox, type SandboxChoice } from './sandbox-form';
import { isProviderScenario, PROVIDER_FAILURES } from './sandbox-scenarios';

/** 404 unless the sandbox is the identity provider. */
function requireSandbox(context: AppLoadContext): void {
  if (context.settings.identity.provider !== 'sandbox') throwPageFor('request.not_found', context);
}

export function loadSandbox({ request, context }: LoaderFunctionArgs) {
  requireSandbox(context);
  const query = new URL(request.url).searchParams;
  const provider = query.get('provider');
  return {
    provider: isLoginProvider(provider) ? provider : LOGIN_PROVIDER_LIST[0],
    isPopup: query.get('display') === 'popup',
  };
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
    const login: RedirectLogin = {
      provider: choice.provider,
      returnTo: destinationIn(search),
      search,
      link: (idToken, pending) => link(idToken, pending, context),
    };
    return await finishRedirectLogin(reply, login, { request, context });
  } catch (error) {
    const problem = asApiError(error, { request, context });
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
  data<SandboxResponse>({ reply: null, problem: null, result: null, ...parts }, { status });

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

const failure = (code: string, { email }: SandboxChoice) =>
  ({ kind: 'failure', code, email: email || null, providers: [], link: '' }) as const;

/** Links in the sandbox, or fails as the scenario of the pending login says. */
async function link(idToken: string, { provider, email, credential }: PendingCredential, context: AppLoadContext) {
  if (credential || email === null) throw new IdentityFailure(credential || 'auth/linking-error');
  await callApi(sandboxRoutes.issueIdentityToken, { body: { provider, email, linkTo: idToken } }, { context });
  return idToken;
}
