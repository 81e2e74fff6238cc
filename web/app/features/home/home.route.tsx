import type { ActionFunctionArgs, AppLoadContext, LinksFunction, LoaderFunctionArgs } from '@remix-run/node';
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { seeOther } from '../../http/answer.server';
import { differOnlyInVersion } from '../../http/internal-address';
import { asApiError, problemData } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { consumeFlash } from '../../session/flash.server';
import { rememberRunning } from '../../session/photos-state.server';
import { batchAddress, batchChoiceAddress, videoAddress } from '../../session/task-addresses';
import { LinkedText } from '../../ui/page/linked-text';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { SENT_FLASH, SENT_TOAST_MS } from '../contact/sent-flash';
import { OneTap } from '../login/one-tap';
import { firstOfSeveralAddress, withProcessStart } from '../processing/processing.server';
import { requireService } from '../settings/service-country.server';
import { DropTarget } from '../upload/drop-target';
import { LIMITS_ID } from '../upload/file-input';
import { ACCEPTED_FILES } from '../upload/file-types';
import { type FormUploadResult, refusalPage, uploadFromForm } from '../upload/form-upload.server';
import { uploaderOfPage } from '../upload/uploader.server';
import { biometricNotice, galleryPictures, plansLink, teaserPrices } from './home.server';
import { SampleStage } from './sample-stage';
import { Gallery, HowItWorks, PlansTeaser, Questions } from './sections';
import { Workspace } from './workspace';
import { loadWorkspace } from './workspace.server';

export const handle = { i18n: ['home'] };

/** Painted half parsed, the centered content of the drop target would move. */
export const links: LinksFunction = () => [{ rel: 'expect', href: `#${LIMITS_ID}`, blocking: 'render' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const [t, prices, uploader, notice, workspace, gallery] = await Promise.all([
    translatorFor(request, 'home'),
    teaserPrices(request, context),
    uploaderOfPage(request, context),
    biometricNotice(request, context),
    loadWorkspace({ request, context }),
    galleryPictures(request),
  ]);
  const [link, sent] = await Promise.all([plansLink(request, context, uploader), sentNotice(request, context)]);
  return {
    title: t('title'),
    prices,
    plansLink: link,
    uploader,
    biometricNotice: notice,
    accept: ACCEPTED_FILES,
    sent,
    workspace,
    gallery,
  };
}

/** Shown after a support request was sent. Translated here: the page's script needs no messages of the help pages. */
async function sentNotice(request: Request, context: AppLoadContext) {
  const flash = await consumeFlash({ request, context });
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
  try {
    const upload = await uploadFromForm({ request, context });
    await rememberRunning({ request, context });
    return seeOther(addressAfter(upload), request);
  } catch (error) {
    request.signal.throwIfAborted();
    const page = await refusalPage(error, request, context);
    if (page) return seeOther(page, request);
    const problem = asApiError(error, { request, context });
    if (problem.code === 'users.not_authorized') throw problem;
    return problemData(problem);
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

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

const NOTICE_LINKS = { privacy: '/privacy-and-cookie-policy#photos' };

export default function HomePage() {
  const { t } = useTranslation('home');
  const {
    accept,
    prices,
    plansLink: link,
    uploader,
    biometricNotice: notice,
    sent,
    workspace,
    gallery,
  } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem ?? null;
  return (
    <>
      {sent && (
        <div className="mx-auto w-full max-w-3xl px-5 sm:px-8">
          <FlashNotice id={sent.id} text={sent.text} durationMs={SENT_TOAST_MS} />
        </div>
      )}
      <div className="mx-auto w-full max-w-7xl px-5 sm:px-8">
        <section className="grid gap-x-16 gap-y-6 short:gap-y-4 sm:gap-y-7 sm:pt-6 sideways:grid-cols-2 sideways:gap-x-6 sideways:grid-rows-[auto_1fr] sideways:gap-y-3 sideways:pt-0 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr]">
          <div className="flex flex-col gap-3 short:gap-2 sm:gap-6 sideways:gap-1">
            <h1 className={workspace ? 'text-display-sm' : 'text-display'}>{t('headline')}</h1>
            {!workspace && (
              <p className="max-w-xl text-lg text-pretty text-muted short:text-base sm:text-xl sideways:text-base">
                {t('lead')}
              </p>
            )}
          </div>
          {!workspace && (
            <SampleStage className="sideways:col-start-2 sideways:row-span-2 sideways:row-start-1 lg:col-start-2 lg:row-span-2 lg:row-start-1" />
          )}
          <DropTarget accept={accept} uploader={uploader} problem={problem}>
            {notice && (
              <p className="px-2 text-sm text-pretty text-muted">
                <LinkedText text={notice} links={NOTICE_LINKS} />
              </p>
            )}
          </DropTarget>
          {workspace && <Workspace workspace={workspace} plansLink={workspace.hasPlan ? null : link} />}
        </section>
        {!workspace && (
          <>
            <Gallery pictures={gallery} />
            <HowItWorks />
            <PlansTeaser prices={prices} link={link} />
            <Questions />
          </>
        )}
      </div>
      <OneTap />
    </>
  );
}
