import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react';
import { plansLink, teaserPrices } from '../features/billing/plans/home-offers.server';
import { SENT_FLASH, SENT_TOAST_MS } from '../features/help/contact/sent-flash';
import { OneTap } from '../features/identity/one-tap/one-tap';
import { DELIVERED } from '../features/settings/delivered';
import { requireService } from '../features/settings/service-country.server';
import { firstOfSeveralAddress } from '../features/tasks/processing/first-of-several';
import { withProcessStart } from '../features/tasks/processing/process-end.server';
import { Home } from '../features/upload/home/home';
import { biometricNotice } from '../features/upload/server/biometric-notice.server';
import { type FormUploadResult, refusalPage, uploadFromForm } from '../features/upload/server/form-upload.server';
import { uploaderOfPage } from '../features/upload/server/uploader.server';
import { LIMITS_ID } from '../features/upload/shared/file-input';
import { ACCEPTED_FILES, ACCEPTED_PHOTOS } from '../features/upload/shared/file-types';
import { differOnlyInVersion, preserveVersionParam } from '../http/internal-address';
import { asApiError, problemData } from '../http/problem.server';
import { translatorFor } from '../i18n/i18n.server';
import { consumeFlash } from '../session/flash/flash.server';
import { rememberRunning } from '../session/photos/photos-state.server';
import { batchAddress, batchChoiceAddress, videoAddress } from '../session/photos/task-addresses';
import { startLogin } from '../session/visitor.server';
import { FlashNotice } from '../ui/toast/flash-notice';

export const handle = { i18n: ['home'] };

/** Painted half parsed, the centered content of the drop target would move. */
export const links: LinksFunction = () => [{ rel: 'expect', href: `#${LIMITS_ID}`, blocking: 'render' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const [t, prices, uploader, notice] = await Promise.all([
    translatorFor(request, 'home'),
    teaserPrices(request, context),
    uploaderOfPage(request, context),
    biometricNotice(request, context),
  ]);
  const headers = new Headers();
  const [link, sent] = await Promise.all([
    plansLink(request, context, uploader),
    sentNotice(request, headers, context),
  ]);
  const page = {
    title: t('title'),
    prices,
    plansLink: link,
    uploader,
    biometricNotice: notice,
    accept: DELIVERED.video ? ACCEPTED_FILES : ACCEPTED_PHOTOS,
    sent,
  };
  return data(page, { headers });
}

/** Shown after a support request was sent. Translated here: the page's script needs no messages of the help pages. */
async function sentNotice(request: Request, headers: Headers, context: AppLoadContext) {
  const flash = await consumeFlash({ request, context, headers });
  if (flash?.message !== SENT_FLASH) return null;
  const t = await translatorFor(request, 'support');
  return { id: flash.id, text: t('contact.sent') };
}

/** Another sample or version needs no new data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.searchParams.get('sample') === nextUrl.searchParams.get('sample') &&
  !differOnlyInVersion(currentUrl.href, nextUrl.href) &&
  defaultShouldRevalidate;

export async function action({ request, context }: ActionFunctionArgs) {
  requireService(request, context);
  const headers = new Headers();
  try {
    const upload = await uploadFromForm({ request, context, headers });
    await rememberRunning({ request, context, headers });
    return redirect(preserveVersionParam(addressAfter(upload), new URL(request.url).search), { status: 303, headers });
  } catch (error) {
    request.signal.throwIfAborted();
    const page = await refusalPage(error, request, context);
    if (page) return redirect(preserveVersionParam(page, new URL(request.url).search), { status: 303, headers });
    const problem = asApiError(error, context);
    if (problem.code === 'users.not_authorized') return startLogin({ request, context, headers });
    return problemData(problem, headers);
  }
}

/** The page that shows the uploaded files, and says which were left out. */
function addressAfter({ bulkUploadId, taskIds, files, isBatch, isUndecided, problem }: FormUploadResult): string {
  const [taskId = ''] = taskIds;
  if (bulkUploadId === null) return withProcessStart(videoAddress(taskId));
  if (isUndecided) return batchChoiceAddress(bulkUploadId, files);
  if (files === 1 || !isBatch) return withProcessStart(firstOfSeveralAddress(taskId, files));
  return batchAddress(bulkUploadId, problem ? { problem } : {});
}

export { pageHeaders as headers } from '../http/page-headers';
export { titleMeta as meta } from '../http/page-meta';

export default function HomePage() {
  const { accept, prices, plansLink, uploader, biometricNotice: notice, sent } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      {sent && (
        <div className="mx-auto w-full max-w-3xl px-5 sm:px-8">
          <FlashNotice id={sent.id} text={sent.text} durationMs={SENT_TOAST_MS} />
        </div>
      )}
      <Home
        accept={accept}
        uploader={uploader}
        prices={prices}
        plansLink={plansLink}
        biometricNotice={notice}
        problem={answer?.problem ?? null}
      />
      <OneTap />
    </>
  );
}
