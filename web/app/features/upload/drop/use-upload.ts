import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { useAppNavigate } from '../../../ui/page/app-link';
import { rememberPicture } from '../../../ui/picture/local-picture';
import { useModals } from '../../modals/modals';
import { uploadErrorOf } from '../decision/read-upload-error';
import type { UploadError as FilesError } from '../decision/upload-error';
import {
  cancel as cancelTransfer,
  fileOf,
  finishRestored,
  forget,
  preloadTransfers,
  provideFile,
  UploadError,
  type UploadOptions,
  type UploadPhase,
  uploadFile,
  useTransfers,
} from '../transfers/transfers';

export type UploadState =
  | {
      readonly kind: 'idle';
      readonly problem: ProblemView | null;
      /** To try again after an error other than one of the file itself. */
      readonly file: File | null;
    }
  | {
      readonly kind: 'busy';
      readonly phase: UploadPhase;
      /** Fraction of the bytes sent, 0..1. */
      readonly progress: number;
      /** Object URL of the file. */
      readonly preview: string;
      readonly fileName: string;
      /** Id of the task, if pausing keeps what was sent. */
      readonly pausableId: string | null;
    };

const IDLE: UploadState = { kind: 'idle', problem: null, file: null };

/** Uploads one file at a time, then navigates to the processing page. */
export function useUpload() {
  const navigate = useAppNavigate();
  const { i18n } = useTranslation();
  const openErrorModal = useUploadErrorModal();
  const { open } = useModals();
  const [state, setState] = useState<UploadState>(IDLE);
  const running = useRef<AbortController | null>(null);

  /** Shows an upload until it ends. */
  const follow = useCallback(
    async (file: File, upload: (options: UploadOptions) => Promise<string>) => {
      const controller = new AbortController();
      running.current = controller;
      const preview = URL.createObjectURL(file);
      const show = (phase: UploadPhase, progress: number, pausableId: string | null) =>
        setState({ kind: 'busy', phase, progress, preview, fileName: file.name, pausableId });
      window.addEventListener('beforeunload', warnOfLeaving);
      show('preparing', 0, null);
      // Preloads the next pages' messages.
      void i18n.loadNamespaces(['processing', 'result']);
      try {
        const taskId = await upload({ signal: controller.signal, onChange: show });
        rememberPicture(taskId, file);
        forget(taskId);
        navigate(`/processing?taskId=${taskId}`);
      } catch (error) {
        const problem = error instanceof UploadError ? error.problem : null;
        const filesError = problem && uploadErrorOf(problem.code);
        // Errors of the file open a modal; others are shown beside the form, to try again.
        setState(filesError || !problem ? IDLE : { kind: 'idle', problem, file });
        if (filesError) void openErrorModal(filesError);
        if (problem?.code === 'users.not_authorized') void open('user:login', { problem: null });
      } finally {
        running.current = null;
        window.removeEventListener('beforeunload', warnOfLeaving);
        URL.revokeObjectURL(preview);
      }
    },
    [navigate, i18n, openErrorModal, open],
  );

  const transfers = useTransfers();
  const [restored] = [...transfers].filter(([, { isSingle }]) => isSingle);
  const restoredId = restored?.[0];
  const isInterrupted = restored?.[1].state === 'needsFile';
  const interruptedId = useRef<string | null>(null);
  useEffect(() => {
    interruptedId.current = (isInterrupted && restoredId) || null;
  }, [isInterrupted, restoredId]);

  // After a reload.
  useEffect(() => {
    const file = restoredId && fileOf(restoredId);
    if (file && !running.current) void follow(file, (options) => finishRestored(restoredId, file, options));
  }, [restoredId, follow]);

  const send = useCallback(
    async (files: readonly File[]) => {
      const [file] = files;
      if (!file || running.current) return;
      if (files.length > 1) {
        setState(IDLE);
        void openErrorModal({ reason: 'too_many_files', left: 1, chosen: files.length });
        return;
      }
      const taskId = interruptedId.current;
      if (taskId && (await provideFile(taskId, file)))
        return follow(file, (options) => finishRestored(taskId, file, options));
      if (taskId) cancelTransfer(taskId);
      await follow(file, (options) => uploadFile(file, options));
    },
    [follow, openErrorModal],
  );

  const cancel = useCallback(
    () => running.current?.abort(new DOMException('Cancelled by the visitor', 'AbortError')),
    [],
  );
  useEffect(() => cancel, [cancel]);

  // The code of uploads is no part of the page, but the first file should not wait for it.
  useEffect(() => {
    const ended = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'dragenter'])
      window.addEventListener(event, preloadTransfers, { once: true, signal: ended.signal });
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
    /** Needs the same file again after a reload. */
    interrupted: isInterrupted && restored ? { taskId: restored[0], fileName: restored[1].fileName } : null,
  };
}

/** Makes the browser ask before the page is closed or reloaded. */
const warnOfLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Opens the modal that explains an upload error; resolves when it is closed. */
function useUploadErrorModal(): (error: FilesError) => Promise<void> {
  const { open } = useModals();
  return useCallback(
    async (error) => {
      await open('upload:error', error);
    },
    [open],
  );
}
