import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { ProgressBar } from '../../ui/content/waiting';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import type { TaskView } from '../tasks/task-view';
import type { Transfers } from '../upload/transfer-store';
import { type BatchView, isApplying, summaryOf } from './batch-view';

interface SummaryProps {
  readonly batch: BatchView;
  readonly transfers: Transfers;
}

const progressOf = ({ state }: TaskView): number => (state.kind === 'working' ? state.progress : 0);

export function Summary({ batch: { bulkUploadId, photos, hasEnded }, transfers }: SummaryProps) {
  const { t } = useTranslation(['processing', 'common']);
  const { total, ready, failed, applying } = summaryOf(photos);
  const canRetry = photos.filter(({ state }) => state.kind === 'failed').length > 1;
  const sending = photos.filter(
    ({ taskId, state }) => state.kind === 'uploading' && transfers.get(taskId)?.state === 'sending',
  ).length;
  const processed = photos.filter(({ output }) => output === null).reduce((sum, photo) => sum + progressOf(photo), 0);
  const hasAllFailed = hasEnded && total > 0 && failed === total;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-title text-balance">
        {hasAllFailed
          ? t('batch.allFailed')
          : total === 0
            ? t('batch.states.cancelled')
            : t('batch.ready', { ready, total })}
      </p>
      {!hasEnded && ready + failed < total && (
        <ProgressBar label={t('batch.progress')} value={(ready + failed + processed) / total} />
      )}
      {(sending > 0 || failed > 0) && (
        <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
          {sending > 0 && <span>{t('batch.sending', { count: sending })}</span>}
          {failed > 0 && !hasAllFailed && <span>{t('batch.failed', { count: failed })}</span>}
          {failed > 0 && <span>{t('common:nothingCharged')}</span>}
          {canRetry && (
            <SubmitForm method="post" action={batchAddress(bulkUploadId)} preventScrollReset>
              <SubmitButton kind="quiet" size="small" name="intent" value="retryAll">
                <RotateCw aria-hidden className="size-4" />
                {t('batch.retryFailed')}
              </SubmitButton>
            </SubmitForm>
          )}
        </div>
      )}
      {applying > 0 && <Applying photos={photos.filter(isApplying)} />}
    </div>
  );
}

function Applying({ photos }: { readonly photos: readonly TaskView[] }) {
  const { t } = useTranslation('processing');
  const left = photos.length;
  // The largest number seen so far.
  const [all, setAll] = useState(left);
  if (left > all) setAll(left);
  const done = all - left + photos.reduce((sum, photo) => sum + progressOf(photo), 0);
  return (
    <div className="flex max-w-md flex-col gap-1.5 text-sm text-muted">
      <p>{t('batch.applying', { left })}</p>
      <ProgressBar label={t('batch.applyingLabel')} value={done / Math.max(all, left)} />
    </div>
  );
}
