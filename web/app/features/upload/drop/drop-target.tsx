import { useLocation } from '@remix-run/react';
import Camera from 'lucide-react/icons/camera';
import ImageUp from 'lucide-react/icons/image-up';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { type ChangeEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../../http/internal-address';
import type { ProblemView } from '../../../http/problem';
import { useRootData } from '../../../session/root-data';
import { Notice } from '../../../ui/content/notice';
import { Button, buttonClass } from '../../../ui/controls/button';
import { FILE_INPUT_ID, type UploadRules } from '../shared/upload-rules';
import { cancel as cancelTransfer } from '../transfers/transfers';
import { UploadProgress } from './upload-progress';
import { useFilesFromPage } from './use-files-from-page';
import { useUpload } from './use-upload';

interface DropTargetProps {
  readonly rules: UploadRules;
  readonly problem: ProblemView | null;
}

const NOTICE_ID = 'upload-problem';
const CAMERA_ID = 'upload-camera';

/** The whole card opens the file dialog. */
const CHOOSE_CLASS =
  'after:absolute after:inset-0 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent nojs:hidden';
/** Only phones and tablets have a camera to open. */
const CAMERA_CLASS =
  'relative z-1 not-pointer-coarse:hidden peer-focus-visible/camera:outline-3 peer-focus-visible/camera:outline-offset-3 peer-focus-visible/camera:outline-accent nojs:hidden';

/** An upload form; with JavaScript also a target for dropped and pasted files. */
export function DropTarget({ rules, problem: formProblem }: DropTargetProps) {
  const { t } = useTranslation(['home', 'common']);
  const { search } = useLocation();
  const { visitor } = useRootData();
  const { state, send, cancel, interrupted } = useUpload();
  const isDragging = useFilesFromPage(send);
  const input = useRef<HTMLInputElement>(null);
  // A file may have been chosen before hydration.
  useEffect(() => void send([...(input.current?.files ?? [])]), [send]);
  const isBusy = state.kind === 'busy';
  const problem = isBusy ? null : (state.problem ?? formProblem);
  const failedFile = isBusy ? null : state.file;
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void send([...(currentTarget.files ?? [])]);
    // Lets the same file be chosen again after an error.
    currentTarget.value = '';
  };

  return (
    <div className="flex flex-col gap-4">
      <div
        className={`relative grid grid-cols-1 overflow-hidden rounded-picture bg-raised shadow-float transition sm:min-h-76 ${
          isDragging ? 'ring-4 ring-accent' : ''
        }`}
      >
        {isBusy ? (
          <UploadProgress upload={state} onCancel={cancel} />
        ) : (
          <form
            method="post"
            action={preserveVersionParam('/?index', search)}
            encType="multipart/form-data"
            onSubmit={(event) => event.preventDefault()}
            className="relative flex flex-col items-center justify-center gap-4 p-6 text-center sm:gap-5 sm:p-8"
          >
            <span
              aria-hidden
              className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent-ink max-sm:hidden nojs:hidden"
            >
              <ImageUp className="size-7" />
            </span>
            <div className="space-y-1 pointer-coarse:hidden nojs:hidden">
              <p className="text-xl font-semibold tracking-tight">{t(isDragging ? 'drop.release' : 'drop.title')}</p>
              <p className="text-muted">{t('drop.hint')}</p>
            </div>
            <input
              ref={input}
              id={FILE_INPUT_ID}
              type="file"
              name="file"
              accept={rules.accept}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? NOTICE_ID : undefined}
              className="peer w-full max-w-sm rounded-2xl bg-well p-3 text-sm file:me-3 file:rounded-full file:bg-raised file:px-4 file:py-2 file:font-medium js:sr-only"
              onChange={onChange}
            />
            <input
              id={CAMERA_ID}
              type="file"
              name="file"
              accept="image/*"
              capture="environment"
              className="peer/camera sr-only not-pointer-coarse:hidden nojs:hidden"
              onChange={onChange}
            />
            <label htmlFor={FILE_INPUT_ID} className={`${buttonClass('primary')} ${CHOOSE_CLASS}`}>
              {t('drop.choose')}
            </label>
            <label htmlFor={CAMERA_ID} className={`${buttonClass('quiet')} ${CAMERA_CLASS}`}>
              <Camera aria-hidden className="size-5" />
              {t('drop.take')}
            </label>
            <label htmlFor={FILE_INPUT_ID} className="text-xl font-semibold tracking-tight order-first js:hidden">
              {t('drop.label')}
            </label>
            <Button kind="primary" type="submit" className="js:hidden">
              {t('drop.submit')}
            </Button>
          </form>
        )}
      </div>
      {interrupted && !isBusy && (
        <div role="status" className="rounded-2xl bg-accent-soft px-4 py-3.5 text-start text-accent-ink">
          <p className="text-pretty">{t('upload.interrupted', { name: interrupted.fileName })}</p>
          <Button kind="quiet" size="small" className="mt-3" onClick={() => cancelTransfer(interrupted.taskId)}>
            {t('upload.discard')}
          </Button>
        </div>
      )}
      {problem && (
        <Notice id={NOTICE_ID}>
          <p>
            {t(`common:errors.${problem.code}`)} {problem.code !== 'uploads.missing' && t('common:originalSafe')}
          </p>
          {failedFile && (
            <Button kind="quiet" size="small" className="mt-3 max-w-full" onClick={() => void send([failedFile])}>
              <RotateCw aria-hidden className="size-4 shrink-0" />
              <span className="truncate">{t('upload.retry', { name: failedFile.name })}</span>
            </Button>
          )}
        </Notice>
      )}
      <p className="flex flex-wrap gap-x-5 gap-y-1 px-2 text-sm text-muted">
        <span>{t('drop.rules', { megabytes: rules.megabytes })}</span>
        <span>{visitor.kind === 'guest' ? t('drop.privacy') : t('drop.privacyMember')}</span>
      </p>
    </div>
  );
}
