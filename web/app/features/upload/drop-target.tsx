import { useLocation } from '@remix-run/react';
import Camera from 'lucide-react/icons/camera';
import ImageUp from 'lucide-react/icons/image-up';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { type ChangeEvent, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProblemView, UNREACHABLE } from '../../http/browser-client';
import { preserveVersionParam } from '../../http/internal-address';
import { fileErrorKey, isVideoFile } from '../../session/file-error';
import { useRootData } from '../../session/root-data';
import { Notice } from '../../ui/content/notice';
import { Button, buttonClass } from '../../ui/controls/button';
import { useAppNavigate } from '../../ui/page/app-link';
import { useModals } from '../modals/modals';
import type { Uploader } from './decide-upload';
import { FILE_INPUT_ID, LIMITS_ID } from './file-input';
import type { SendOptions, UploadState } from './send-files';
import { confirmLeave, onceOnline, useTransfers } from './transfer-store';
import { useFilesFromPage } from './use-files-from-page';

interface DropTargetProps {
  /** Accepted content types and extensions. */
  readonly accept: string;
  readonly uploader: Uploader;
  readonly problem: ProblemView | null;
  readonly children: ReactNode;
}

const NOTICE_ID = 'upload-problem';
const CAMERA_ID = 'upload-camera';

/** The whole card opens the file dialog. */
const CHOOSE_CLASS =
  'after:absolute after:inset-0 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent nojs:hidden';
/** Only phones and tablets have a camera to open. */
const CAMERA_CLASS =
  'relative z-1 not-pointer-coarse:hidden peer-focus-visible/camera:outline-3 peer-focus-visible/camera:outline-offset-3 peer-focus-visible/camera:outline-accent nojs:hidden';

/** Few visitors have a plan with batches. */
const FolderChoice = lazy(async () => ({ default: (await import('./folders')).FolderChoice }));

export function DropTarget({ accept, uploader, problem: formProblem, children }: DropTargetProps) {
  const { t } = useTranslation(['home', 'common']);
  const { search } = useLocation();
  const { visitor } = useRootData();
  const { state, send, cancel, interrupted, discard } = useUpload(uploader);
  const isDragging = useFilesFromPage(send);
  const chosen = useRef<HTMLInputElement>(null);
  const taken = useRef<HTMLInputElement>(null);
  // A file may have been chosen, or a photo taken, before hydration.
  useEffect(() => {
    const input = [chosen.current, taken.current].find((element) => element?.files?.length);
    const files = [...(input?.files ?? [])];
    if (!input || files.length === 0) return;
    input.value = '';
    void send(files);
  }, [send]);
  const { hasBatch, files: maxFiles, photoSizeMb, video, isVideoOn } = uploader.limits;
  const variant = hasBatch ? 'many.' : video ? 'media.' : '';
  const isIdle = state.kind === 'idle';
  const problem = isIdle ? (state.problem ?? formProblem) : null;
  const failedFiles = (isIdle && state.files) || [];
  const [failedFile] = failedFiles;
  const isVideo = failedFile !== undefined && isVideoFile(failedFile);
  // On phones it may be outside the screen, and nothing else tells why the upload has ended.
  useEffect(() => {
    if (problem) document.getElementById(NOTICE_ID)?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    // Empty when the dialog is cancelled.
    if (files.length > 0) void send(files);
    // Lets the same file be chosen again after an error.
    currentTarget.value = '';
  };

  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <Notice id={NOTICE_ID}>
          <p>
            {t(fileErrorKey(problem.code, isVideo))} {problem.code !== 'uploads.missing' && t('common:originalSafe')}{' '}
            {t('common:nothingCharged')}
          </p>
          {failedFile && (
            <Button kind="quiet" size="small" className="mt-3 max-w-full" onClick={() => void send(failedFiles)}>
              <RotateCw aria-hidden className="size-4 shrink-0" />
              <span className="truncate">
                {failedFiles.length === 1 ? t('upload.retry', { name: failedFile.name }) : t('common:tryAgain')}
              </span>
            </Button>
          )}
        </Notice>
      )}
      <div
        className={`relative grid grid-cols-1 overflow-hidden rounded-picture bg-raised shadow-float transition lg:min-h-76 lg:flex-1 ${
          isDragging ? 'ring-4 ring-accent' : ''
        }`}
      >
        {state.kind === 'busy' && <state.View upload={state} onCancel={cancel} />}
        {state.kind === 'offline' && (
          <div className="flex flex-col items-center justify-center gap-4 p-6 text-center sm:p-8">
            <p role="status">{t('upload.offline')}</p>
            <Button kind="quiet" size="small" onClick={cancel}>
              {t('common:cancel')}
            </Button>
          </div>
        )}
        {isIdle && (
          <form
            method="post"
            action={preserveVersionParam('/?index', search)}
            encType="multipart/form-data"
            onSubmit={(event) => event.preventDefault()}
            className="relative flex flex-col items-center justify-center gap-4 p-6 text-center short:p-4 sm:gap-5 sm:p-8 sideways:gap-3 sideways:p-4"
          >
            <span
              aria-hidden
              className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent-ink max-lg:hidden nojs:hidden"
            >
              <ImageUp className="size-7" />
            </span>
            <div className="space-y-1 pointer-coarse:hidden nojs:hidden">
              <p className="text-xl font-semibold tracking-tight">
                {t(isDragging ? 'drop.release' : `drop.${variant}title`)}
              </p>
              <p className="text-muted">{t(hasBatch ? 'drop.many.hint' : 'drop.hint')}</p>
            </div>
            <input
              ref={chosen}
              id={FILE_INPUT_ID}
              type="file"
              name="file"
              accept={accept}
              multiple
              {...(formProblem && { autoFocus: true })}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? `${NOTICE_ID} ${LIMITS_ID}` : LIMITS_ID}
              className="peer w-full max-w-sm rounded-2xl bg-well p-3 text-sm file:me-3 file:rounded-full file:bg-raised file:px-4 file:py-2 file:font-medium js:sr-only"
              onChange={onChange}
            />
            <input
              ref={taken}
              id={CAMERA_ID}
              type="file"
              name="file"
              accept="image/*"
              capture="environment"
              className="peer/camera sr-only not-pointer-coarse:hidden nojs:hidden"
              onChange={onChange}
            />
            <label htmlFor={FILE_INPUT_ID} className={`${buttonClass('primary')} ${CHOOSE_CLASS}`}>
              {t(`drop.${variant}choose`)}
            </label>
            {hasBatch && (
              <Suspense fallback={null}>
                <FolderChoice onFiles={send} />
              </Suspense>
            )}
            <label htmlFor={CAMERA_ID} className={`${buttonClass('quiet')} ${CAMERA_CLASS}`}>
              <Camera aria-hidden className="size-5" />
              {t('drop.take')}
            </label>
            <label htmlFor={FILE_INPUT_ID} className="text-xl font-semibold tracking-tight order-first js:hidden">
              {t(`drop.${variant}label`)}
            </label>
            <Button kind="primary" type="submit" className="js:hidden">
              {t(`drop.${variant}submit`)}
            </Button>
          </form>
        )}
      </div>
      {interrupted && isIdle && (
        <div role="status" className="rounded-2xl bg-accent-soft px-4 py-3.5 text-start text-accent-ink">
          <p className="text-pretty">{t('upload.interrupted', { name: interrupted })}</p>
          <Button kind="quiet" size="small" className="mt-3" onClick={() => void discard()}>
            {t('upload.discard')}
          </Button>
        </div>
      )}
      <p id={LIMITS_ID} className="flex flex-wrap gap-x-5 gap-y-1 px-2 text-sm text-muted">
        <span>{t('drop.rules', { megabytes: photoSizeMb })}</span>
        <span>
          {isVideoOn
            ? video
              ? t('drop.video', { megabytes: video.maxSizeMb, seconds: video.maxLength })
              : t('drop.videoPlan')
            : t('common:uploadError.videoOff.body')}
        </span>
        {hasBatch ? (
          <span>{t('drop.many.limit', { count: maxFiles })}</span>
        ) : (
          <span className="js:hidden">{t('drop.first')}</span>
        )}
        <span>{visitor.kind === 'guest' ? t('drop.privacy') : t('drop.privacyMember')}</span>
      </p>
      {children}
    </div>
  );
}

const IDLE: UploadState = { kind: 'idle' };

/** Not part of the page's script, but preloaded for the first file. */
const loadSender = () => import('./send-files');
type Sender = Awaited<ReturnType<typeof loadSender>>;

/** Uploads a photo, then navigates to the processing page; several go to the batch page while they are sent. */
function useUpload(uploader: Uploader) {
  const navigate = useAppNavigate();
  const { i18n } = useTranslation();
  const { open } = useModals();
  const [state, setState] = useState<UploadState>(IDLE);
  const running = useRef<AbortController | null>(null);

  /** Runs one upload at a time with the code that is loaded for it. */
  const run = useCallback(
    async (
      given: readonly File[] | Promise<readonly File[]>,
      upload: (sender: Sender, options: SendOptions, files: readonly File[]) => Promise<void>,
    ) => {
      if (running.current) return;
      const controller = new AbortController();
      const { signal } = controller;
      running.current = controller;
      try {
        const files = await Promise.resolve(given).catch(() => null);
        // The code that reads folders couldn't be loaded.
        if (!files) return setState({ kind: 'idle', problem: UNREACHABLE });
        if (!navigator.onLine) await untilOnline(signal, setState);
        setState(IDLE);
        if (signal.aborted) return;
        const loadSections = () => i18n.loadNamespaces(['processing', 'result']);
        const sender = await loadSender().catch(() => null);
        if (sender) await upload(sender, { uploader, open, navigate, loadSections, setState, signal }, files);
        else setState({ kind: 'idle', problem: UNREACHABLE, files });
      } finally {
        running.current = null;
      }
    },
    [navigate, i18n, open, uploader],
  );

  const restored = [...useTransfers().values()].find(({ isSingle }) => isSingle);
  const { taskId } = restored?.ticket ?? {};
  const isInterrupted = restored?.state === 'needsFile';
  const isStopped = isInterrupted || restored?.state === 'failed';
  const stoppedId = useRef<string | null>(null);
  useEffect(() => {
    stoppedId.current = (isStopped && taskId) || null;
  }, [isStopped, taskId]);

  const file = restored?.file;
  useEffect(() => {
    if (taskId && file) void run([file], (sender, options) => sender.continueFile(taskId, file, options));
  }, [taskId, file, run]);

  const send = useCallback(
    (given: readonly File[] | Promise<readonly File[]>) =>
      run(given, (sender, options, files) => sender.sendFiles(files, stoppedId.current, options)),
    [run],
  );

  const cancel = useCallback(
    () => running.current?.abort(new DOMException('Cancelled by the visitor', 'AbortError')),
    [],
  );
  useEffect(() => cancel, [cancel]);

  useEffect(() => {
    const ended = new AbortController();
    const preload = () => void loadSender().catch(() => {});
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'dragenter'])
      window.addEventListener(event, preload, { once: true, signal: ended.signal });
    return () => ended.abort();
  }, []);

  // A page restored from the back/forward cache must not show a finished upload.
  useEffect(() => {
    const reset = (event: PageTransitionEvent) => {
      if (event.persisted && !running.current) setState(IDLE);
    };
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  return {
    state,
    send,
    cancel,
    interrupted: isInterrupted ? restored.fileName : null,
    discard: () =>
      taskId &&
      loadSender().then(
        (sender) => sender.cancel(taskId),
        () => {},
      ),
  };
}

async function untilOnline(signal: AbortSignal, setState: (state: UploadState) => void): Promise<void> {
  setState({ kind: 'offline' });
  window.addEventListener('beforeunload', confirmLeave);
  // Cancelling ends it, too.
  await onceOnline(signal).catch(() => {});
  window.removeEventListener('beforeunload', confirmLeave);
}
