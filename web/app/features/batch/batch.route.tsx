import { megabytes } from '@clearframe/contract';
import { useActionData, useLoaderData, useLocation } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { loginAddress } from '../../http/internal-address';
import { usePolled } from '../../http/use-data';
import { useRootData } from '../../session/root-data';
import { MessagePage } from '../../ui/content/message-page';
import { Notice, StatusNote } from '../../ui/content/notice';
import { Button, buttonClass } from '../../ui/controls/button';
import { Select } from '../../ui/controls/choices';
import { AppLink } from '../../ui/page/app-link';
import { Sheet } from '../../ui/stage/sheet';
import { StageLayout } from '../../ui/stage/stage-layout';
import { AccountFlash } from '../account/account-flash';
import { DOWNLOAD_FORMATS, type DownloadFormat } from '../downloads/download-view';
import { StageLinks } from '../shell/header';
import { useProcessOperation } from '../tasks/use-task';
import { type Transfers, useTransfers } from '../upload/transfer-store';
import { forget, restoreSavedTransfers } from '../upload/transfers';
import { useFilesFromPage } from '../upload/use-files-from-page';
import { AddForm, AddPhotos, useAddPhotos } from './add-photos';
import { loadBatch } from './batch.server';
import { changeBatch } from './batch-forms.server';
import { type BatchResponse, type BatchView, isPending, summaryOf, withTransfers } from './batch-view';
import { LookPanel } from './look-panel';
import { PhotoCard } from './photo-card';
import { Summary } from './summary';

interface Loaded {
  readonly batch: object | null;
  readonly isRefreshing: boolean;
}

export const handle = {
  i18n: ['processing', 'account'],
  showsDeletionDate: true,
  isStage: (loaded: Loaded) => loaded.batch !== null,
  refreshesWithoutScript: (loaded: Loaded | undefined) => loaded?.isRefreshing ?? false,
};
export const loader = loadBatch;
export const action = changeBatch;
export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function BatchPage() {
  const { batch } = useLoaderData<typeof loader>();
  return batch ? <Batch key={batch.bulkUploadId} initial={batch} /> : <MissingBatch />;
}

function Batch({ initial }: { readonly initial: BatchView }) {
  const { lookOf, isAdding, problem, flash } = useLoaderData<typeof loader>();
  const answer = useActionData<BatchResponse>();
  const { t } = useTranslation(['processing', 'common']);
  const transfers = useTransfers();
  const { batch, isDelayed, refresh } = useBatch(initial, transfers);
  useForgottenTransfers(batch, transfers);
  useEffect(() => void restoreSavedTransfers(), []);
  const { bulkUploadId, photos, places } = batch;
  const { add, problem: addProblem } = useAddPhotos({ bulkUploadId, places, transfers, refresh });
  const isDragging = useFilesFromPage(add);
  const code = addProblem?.code ?? answer?.problem ?? problem;

  return (
    <StageLayout
      heading={t('batch.heading')}
      fileName={t('batch.title', { count: photos.length })}
      tools={<StageLinks />}
      actions={<Actions batch={batch} onFiles={add} />}
      panel={
        <Sheet label={photos.length > 1 ? t('batch.look.title') : t('batch.heading')}>
          <LookPanel batch={batch} lookOf={lookOf} />
        </Sheet>
      }
    >
      <div className="batch" data-dragging={isDragging && places > 0 ? '' : undefined}>
        <AccountFlash flash={flash} />
        {isDelayed && <Notice>{t('delayed')}</Notice>}
        {code && (
          <Notice>
            {t(`common:errors.${code}`)} {t('common:nothingCharged')}
          </Notice>
        )}
        {answer?.isSameLook && <StatusNote>{t('batch.sameLook')}</StatusNote>}
        <Summary batch={batch} transfers={transfers} />
        <Parts batch={batch} />
        {isAdding && <AddForm bulkUploadId={bulkUploadId} places={places} />}
        <ul className="batch-photos">
          {photos.map((photo, index) => (
            <PhotoCard
              key={photo.taskId}
              bulkUploadId={bulkUploadId}
              photo={photo}
              number={index + 1}
              transfer={transfers.get(photo.taskId)}
            />
          ))}
        </ul>
      </div>
    </StageLayout>
  );
}

interface ActionsProps {
  readonly batch: BatchView;
  readonly onFiles: (files: readonly File[]) => void;
}

function Actions({ batch: { bulkUploadId, photos, places, hasEnded, formats, parts }, onFiles }: ActionsProps) {
  const { t } = useTranslation('processing');
  const { total, ready } = summaryOf(photos);
  return (
    <div className="flex w-full min-w-0 flex-wrap items-center justify-end gap-3">
      {places > 0 && <span className="text-caption text-muted max-lg:hidden">{t('batch.addMore', { places })}</span>}
      {places > 0 && <AddPhotos bulkUploadId={bulkUploadId} onFiles={onFiles} />}
      {hasEnded && (
        <AppLink to="/" reloadDocument className={`${buttonClass('quiet', 'small')} min-h-11 max-lg:flex-1`}>
          {t('batch.newBatch')}
        </AppLink>
      )}
      {ready > 0 && parts.length === 0 && (
        <form
          method="post"
          action={`/batches/${bulkUploadId}/archive`}
          className="flex min-w-0 flex-wrap gap-2 max-lg:w-full"
        >
          <Select name="format" aria-label={t('batch.format')} defaultValue={formatOf(photos)} className="shrink-0">
            {formats.map((format) => (
              <option key={format} value={format}>
                {DOWNLOAD_FORMATS[format].name}
              </option>
            ))}
          </Select>
          <Button
            kind="primary"
            size="small"
            type="submit"
            className="min-h-11 text-center leading-tight text-balance max-lg:flex-1"
          >
            <Download aria-hidden className="size-5" />
            {ready === total ? t('batch.download') : t('batch.downloadSome', { count: ready })}
          </Button>
        </form>
      )}
    </div>
  );
}

/** Each in the format of its photos. */
function Parts({ batch: { bulkUploadId, parts } }: { readonly batch: BatchView }) {
  const { t } = useTranslation('processing');
  if (parts.length === 0) return null;
  return (
    <nav aria-label={t('batch.download')}>
      <ul className="flex flex-wrap gap-2">
        {parts.map(({ part, pictures: count, sizeBytes }) => (
          <li key={part}>
            <a
              href={`/batches/${bulkUploadId}/archive?part=${part}`}
              className={`${buttonClass('quiet', 'small')} min-h-11 leading-tight`}
            >
              <Download aria-hidden className="size-5 shrink-0" />
              {t('batch.part', { part, parts: parts.length, count, megabytes: Math.ceil(sizeBytes / megabytes(1)) })}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Of the first finished photo, as a JPEG of the default quality. */
function formatOf(photos: BatchView['photos']): DownloadFormat {
  const type = photos.find(({ output }) => output)?.output?.contentType;
  const formats = Object.keys(DOWNLOAD_FORMATS) as DownloadFormat[];
  return formats.find((format) => DOWNLOAD_FORMATS[format].outputContentType === type) ?? 'jpeg90';
}

/** Frees the files of transfers whose photos have thumbnails. */
function useForgottenTransfers({ photos }: BatchView, transfers: Transfers): void {
  useEffect(() => {
    for (const { taskId, display } of photos)
      if (display.thumbnailUrl && transfers.get(taskId)?.state === 'sent') forget(taskId);
  }, [photos, transfers]);
}

/** Refreshes while a photo is uploaded or processed. */
function useBatch(initial: BatchView, transfers: Transfers) {
  const { view, ...state } = usePolled(initial, `/batches/${initial.bulkUploadId}`, {
    // A thumbnail is encoded just after its photo.
    isChanging: (latest) =>
      withTransfers(latest, transfers).photos.some(
        (photo) => isPending(photo) || (photo.output !== null && !photo.display.thumbnailUrl),
      ),
  });
  const batch = withTransfers(view, transfers);
  useProcessOperation('image', batch.photos);
  return { batch, ...state };
}

function MissingBatch() {
  const { t } = useTranslation(['processing', 'common']);
  const { pathname, search } = useLocation();
  const { visitor } = useRootData();
  return (
    <MessagePage
      title={t('batch.missing.title')}
      actions={
        <>
          {visitor.kind === 'guest' ? (
            <AppLink to={loginAddress(`${pathname}${search}`, search)} className={buttonClass('primary')}>
              {t('common:logIn')}
            </AppLink>
          ) : (
            <AppLink to="/history" className={buttonClass('primary')}>
              {t('batch.missing.history')}
            </AppLink>
          )}
          <AppLink to="/" reloadDocument className={buttonClass('quiet')}>
            {t('common:startOver')}
          </AppLink>
        </>
      }
    >
      <p>{t('batch.missing.body')}</p>
    </MessagePage>
  );
}
