import { IMAGE_LIMITS, megabytes } from '@clearframe/contract';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react';
import { teaserPrices } from '../features/billing/plans/offers.server';
import { OneTap } from '../features/identity/one-tap/one-tap';
import { Home } from '../features/upload/home/home';
import { uploadFromForm } from '../features/upload/server/upload.server';
import { ACCEPTED_FILES } from '../features/upload/shared/file-types';
import { preserveVersionParam } from '../http/internal-address';
import { asApiError, problemData } from '../http/problem.server';
import { translatorFor } from '../i18n/i18n.server';
import { rememberRunning } from '../session/photos/photos-state.server';
import { startLogin } from '../session/visitor.server';

export const handle = { i18n: ['home'] };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [t, prices] = await Promise.all([translatorFor(request, 'home'), teaserPrices(request, context)]);
  return {
    title: t('title'),
    prices,
    rules: { accept: ACCEPTED_FILES, megabytes: IMAGE_LIMITS.maxBytes / megabytes(1) },
  };
}

/** Another sample needs no new data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.searchParams.get('sample') === nextUrl.searchParams.get('sample') && defaultShouldRevalidate;

export async function action({ request, context }: ActionFunctionArgs) {
  const headers = new Headers();
  try {
    const taskId = await uploadFromForm({ request, context, headers });
    await rememberRunning(request, context, headers);
    const next = preserveVersionParam(`/processing?taskId=${taskId}`, new URL(request.url).search);
    return redirect(next, { status: 303, headers });
  } catch (error) {
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'users.not_authorized') return startLogin(request, context, headers);
    return problemData(problem, headers);
  }
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function HomePage() {
  const { rules, prices } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <Home rules={rules} prices={prices} problem={answer?.problem ?? null} />
      <OneTap />
    </>
  );
}
