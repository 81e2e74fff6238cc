import CopyCheck from 'lucide-react/icons/copy-check';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import type { FilmstripView } from './filmstrip-view';

interface ApplyLookProps {
  readonly view: FilmstripView;
  readonly taskId: string;
  readonly outputId: string;
}

/** Applies the displayed result's tools to the other finished photos; the batch shows the progress. */
export function ApplyLook({ view: { batchId, photos }, taskId, outputId }: ApplyLookProps) {
  const { t } = useTranslation('processing');
  if (!photos.some((photo) => photo.taskId !== taskId && photo.kind === 'done')) return null;
  return (
    <SubmitForm method="post" action={batchAddress(batchId)} className="shrink-0">
      <input type="hidden" name="taskId" value={taskId} />
      <input type="hidden" name="outputId" value={outputId} />
      <SubmitButton
        kind="quiet"
        size="small"
        name="intent"
        value="apply"
        title={t('batch.look.applyThis')}
        className="min-h-11 max-w-56 text-start leading-tight text-balance max-sm:size-11 max-sm:px-0"
      >
        <CopyCheck aria-hidden className="size-5 shrink-0" />
        <span className="max-sm:sr-only">{t('batch.look.applyThis')}</span>
      </SubmitButton>
    </SubmitForm>
  );
}
