import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { StageLayout, StageStatus } from '../../ui/stage/stage-layout';
import { StagePicture, StageVideo } from '../../ui/stage/stage-picture';
import type { TransferState } from './transfer-store';
import { pause, resume } from './transfers';

export interface BusyUpload {
  readonly phase: 'preparing' | Exclude<TransferState, 'waiting' | 'needsFile' | 'sent' | 'failed'>;
  /** Fraction of the bytes sent, 0..1. */
  readonly progress: number;
  readonly preview: string;
  readonly fileName: string;
  readonly isVideo: boolean;
  /** Id of the task, if pausing keeps what was sent. */
  readonly pausableId: string | null;
}

interface UploadProgressProps {
  readonly upload: BusyUpload;
  readonly onCancel: () => void;
}

/** Covers the page with the picture, in the place that it keeps while it is enhanced. */
export function UploadProgress({ upload, onCancel }: UploadProgressProps) {
  const { t } = useTranslation(['home', 'common']);
  const dialog = useRef<HTMLDialogElement>(null);
  // Runs before the browser paints: a closed dialog would show for a moment where the picture isn't.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Instead of its first control, which leaves the page.
    element?.focus();
    return () => element?.close();
  }, []);
  const { phase, progress, pausableId } = upload;
  const isStill = phase === 'paused' || phase === 'offline';
  const isKnown = isStill || phase === 'sending' || (phase === 'reconnecting' && progress > 0);
  return (
    <dialog
      ref={dialog}
      aria-label={upload.fileName}
      tabIndex={-1}
      className="stage-dialog outline-none"
      data-still={isStill || undefined}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <StageLayout
        heading={null}
        fileName={upload.fileName}
        panel={
          <StageStatus
            text={t(`upload.${phase === 'checking' && upload.isVideo ? 'checkingVideo' : phase}`, { progress })}
            label={t('upload.label')}
            progress={isKnown ? progress : null}
          />
        }
        actions={
          <>
            {pausableId && phase !== 'checking' && (
              <Button
                kind="quiet"
                size="small"
                className="min-h-11"
                onClick={() => (phase === 'paused' ? resume : pause)(pausableId)}
              >
                {t(phase === 'paused' ? 'upload.continue' : 'upload.pause')}
              </Button>
            )}
            <Button kind="quiet" size="small" className="min-h-11" onClick={onCancel}>
              {t('common:cancel')}
            </Button>
          </>
        }
      >
        {upload.isVideo ? (
          <StageVideo src={upload.preview} label={upload.fileName} />
        ) : (
          <StagePicture sources={[upload.preview]} alt={upload.fileName} />
        )}
      </StageLayout>
    </dialog>
  );
}
