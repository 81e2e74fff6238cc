import Trash2 from 'lucide-react/icons/trash';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { buttonClass } from '../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { useStableUrl } from '../../ui/picture/picture-url';
import { ModalLink } from '../modals/modal-link';
import type { TaskView } from '../tasks/task-view';
import type { BatchView } from './batch-view';

interface LookPanelProps {
  readonly batch: BatchView;
  readonly lookOf: string | null;
}

export function LookPanel({ batch: { bulkUploadId, photos, deletion }, lookOf }: LookPanelProps) {
  const { t } = useTranslation('processing');
  const named = photos.map((photo, index) => ({
    photo,
    name: photo.fileName ?? t('batch.nameless', { number: index + 1 }),
  }));
  const finished = named.filter(({ photo }) => photo.output && !photo.output.isPreview);
  const chosen = finished.find(({ photo }) => photo.taskId === lookOf);
  const others = finished.filter(({ photo }) => photo !== chosen?.photo && photo.state.kind === 'done').length;
  return (
    <div className="flex flex-col gap-6">
      {photos.length > 1 && (
        <section className="flex flex-col gap-4">
          <h2 className="font-medium max-lg:js:sr-only">{t('batch.look.title')}</h2>
          <p className="text-sm text-pretty text-muted">
            {finished.length > 0 ? t('batch.look.lead') : t('batch.look.none')}
          </p>
          {finished.length > 0 && (
            <ul className="filters batch-looks">
              {finished.map(({ photo, name }) => (
                <li key={photo.taskId} className="min-w-0">
                  <LookLink {...{ bulkUploadId, photo, name }} isChosen={photo.taskId === lookOf} />
                </li>
              ))}
            </ul>
          )}
          {chosen && (
            <SubmitForm
              method="post"
              action={batchAddress(bulkUploadId)}
              preventScrollReset
              className="z-1 flex flex-col js:sticky js:bottom-0"
            >
              <input type="hidden" name="taskId" value={chosen.photo.taskId} />
              <SubmitButton kind="primary" name="intent" value="apply" disabled={others === 0}>
                {t('batch.look.apply', { count: others })}
              </SubmitButton>
            </SubmitForm>
          )}
        </section>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
        <time dateTime={deletion.iso}>{t('batch.keep', { date: deletion.text })}</time>
        <ModalLink
          modal="history:delete"
          with={{ taskIds: photos.map(({ taskId }) => taskId) }}
          className={`${buttonClass('quiet', 'small')} min-h-11`}
        >
          <Trash2 aria-hidden className="size-4" />
          {t('batch.deleteAll')}
        </ModalLink>
      </div>
    </div>
  );
}

interface LookLinkProps {
  readonly bulkUploadId: string;
  readonly photo: TaskView;
  readonly name: string;
  readonly isChosen: boolean;
}

function LookLink({ bulkUploadId, photo, name, isChosen }: LookLinkProps) {
  const { t } = useTranslation('processing');
  const url = useStableUrl(photo.display.thumbnailUrl);
  return (
    <AppLink
      to={batchAddress(bulkUploadId, { look: photo.taskId })}
      replace
      preventScrollReset
      aria-current={isChosen ? 'true' : undefined}
      title={name}
      className="version"
    >
      {url ? (
        <img src={url} alt="" loading="lazy" className="filter-picture object-cover" />
      ) : (
        <span className="filter-picture" />
      )}
      <span className="sr-only">{t('batch.look.of', { name })}</span>
    </AppLink>
  );
}
