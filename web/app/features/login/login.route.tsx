import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { parseForm } from '../../http/form.server';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { visitorOf } from '../../session/visitor.server';
import { ModalPage } from '../modals/modal-page';
import { isFailureMessage } from './failures';
import { startFirebaseLogin } from './firebase-login.server';
import { destinationIn, loginWithProblem, withReturnTo } from './login-address';
import { LoginModal } from './login-modal';
import { LOGIN_PROVIDER_LIST } from './providers';

export const handle = { i18n: ['onboarding'] };

const providerForm = z.object({ provider: z.enum(LOGIN_PROVIDER_LIST) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const { kind } = await visitorOf(request, context);
  if (kind === 'member') throw seeOther(destinationIn(search), request);
  const t = await translatorFor(request, 'onboarding');
  const problem = searchParams.get('problem');
  return { title: t('login.title'), problem: isFailureMessage(problem) ? problem : null };
}

/** The form without JavaScript: redirects to the provider's page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { search } = new URL(request.url);
  const form = await parseForm(request, context, providerForm);
  const step = { returnTo: destinationIn(search), search };
  if (form.status !== 'success') return redirect(withReturnTo(loginWithProblem('provider'), step), 303);
  if (context.settings.identity.provider === 'none') return throwPageFor('service.not_configured', context);
  if (context.settings.identity.provider === 'firebase')
    return startFirebaseLogin(form.value.provider, step, { request, context });
  return redirect(withReturnTo(`/sandbox/identity?provider=${form.value.provider}`, step), 303);
}

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

export default function LoginPage() {
  const { problem } = useLoaderData<typeof loader>();
  return <ModalPage modal="user:login" with={{ problem }} body={LoginModal} />;
}
