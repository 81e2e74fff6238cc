import { useLocation } from '@remix-run/react';
import ImageUp from 'lucide-react/icons/image-up';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../../http/internal-address';
import type { ProblemView } from '../../../http/problem';
import { useRootData } from '../../../session/root-data';
import { Notice } from '../../../ui/content/notice';
import { Button, buttonClass } from '../../../ui/controls/button';
import type { UploadRules } from '../shared/upload-rules';
import { UploadProgress } from './upload-progress';
import { useFilesFromPage } from './use-files-from-page';
import { useUpload } from './use-upload';

interface DropTargetProps {
  readonly rules: UploadRules;
  readonly problem: ProblemView | null;
}

const NOTICE_ID = 'upload-problem';
const INPUT_ID = 'upload-file';

/** An upload form; with JavaScript also a target for dropped and pasted files. */
export function DropTarget({ rules, problem: formProblem }: DropTargetProps) {
  const { t } = useTranslation(['home', 'common']);
  const { search } = useLocation();
  const { visitor } = useRootData();
  const { state, send, cancel } = useUpload();
  const isDragging = useFilesFromPage(send);
  const input = useRef<HTMLInputElement>(null);
  // A file may have been chosen before hydration.
  useEffect(() => void send([...(input.current?.files ?? [])]), [send]);
  const isBusy = state.kind === 'busy';
  const problem = isBusy ? null : (state.problem ?? formProblem);

  return (
    <div className="flex flex-col gap-4">
      <div
        className={`relative grid min-h-72 grid-cols-1 overflow-hidden rounded-picture bg-raised shadow-float transition sm:min-h-76 ${
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
            className="relative flex flex-col items-center justify-center gap-5 p-6 text-center sm:p-8"
          >
            <span
              aria-hidden
              className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent-ink nojs:hidden"
            >
              <ImageUp className="size-7" />
            </span>
            <div className="space-y-1 nojs:hidden">
              <p className="text-xl font-semibold tracking-tight">{t(isDragging ? 'drop.release' : 'drop.title')}</p>
              <p className="text-muted">{t('drop.hint')}</p>
            </div>
            <input
              ref={input}
              id={INPUT_ID}
              type="file"
              name="file"
              accept={rules.accept}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? NOTICE_ID : undefined}
              className="peer w-full max-w-sm rounded-2xl bg-well p-3 text-sm file:me-3 file:rounded-full file:bg-raised file:px-4 file:py-2 file:font-medium js:sr-only"
              onChange={(event) => {
                void send([...(event.currentTarget.files ?? [])]);
                // Lets the same file be chosen again after an error.
                event.currentTarget.value = '';
              }}
            />
            <label
              htmlFor={INPUT_ID}
              className={`${buttonClass('primary')} after:absolute after:inset-0 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent nojs:hidden`}
            >
              {t('drop.choose')}
            </label>
            <label htmlFor={INPUT_ID} className="text-xl font-semibold tracking-tight order-first js:hidden">
              {t('drop.label')}
            </label>
            <Button kind="primary" type="submit" className="js:hidden">
              {t('drop.submit')}
            </Button>
          </form>
        )}
      </div>
      {problem && (
        <Notice id={NOTICE_ID}>
          {t(`common:errors.${problem.code}`)} {problem.code !== 'uploads.missing' && t('common:originalSafe')}
        </Notice>
      )}
      <p className="flex flex-wrap gap-x-5 gap-y-1 px-2 text-sm text-muted">
        <span>{t('drop.rules', { megabytes: rules.megabytes })}</span>
        <span>{visitor.kind === 'guest' ? t('drop.privacy') : t('drop.privacyMember')}</span>
      </p>
    </div>
  );
}
