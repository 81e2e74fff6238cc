import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../../ui/content/progress-bar';
import { Button } from '../../../ui/controls/button';
import { DimmedPicture } from '../../../ui/picture/dimmed-picture';
import type { UploadState } from './use-upload';

interface UploadProgressProps {
  readonly upload: Extract<UploadState, { kind: 'busy' }>;
  readonly onCancel: () => void;
}

export function UploadProgress({ upload, onCancel }: UploadProgressProps) {
  const { t } = useTranslation(['home', 'common']);
  const { phase, progress } = upload;
  return (
    <DimmedPicture src={upload.preview} alt={upload.fileName}>
      <div className="flex w-full flex-col gap-4">
        <p className="truncate text-sm opacity-80">{upload.fileName}</p>
        <p aria-live="polite" className="text-2xl font-semibold tracking-tight">
          {t(`upload.${phase}`, { progress })}
        </p>
        <ProgressBar label={t('upload.label')} value={phase === 'sending' ? progress : null} />
        <div>
          <Button kind="quiet" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        </div>
      </div>
    </DimmedPicture>
  );
}
