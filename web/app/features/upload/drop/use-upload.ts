import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { useAppNavigate } from '../../../ui/page/app-link';
import { rememberPicture } from '../../../ui/picture/local-picture';
import { useModals } from '../../modals/modals';
import { uploadErrorOf } from '../decision/read-upload-error';
import type { UploadError as FilesError } from '../decision/upload-error';
import { forget, preloadTransfers, UploadError } from '../transfers/transfers';
import { type UploadPhase, uploadFile } from '../transfers/upload-file';

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

  const send = useCallback(
    async (files: readonly File[]) => {
      const [file] = files;
      if (!file || running.current) return;
      if (files.length > 1) {
        setState(IDLE);
        void openErrorModal({ reason: 'too_many_files', left: 1, chosen: files.length });
        return;
      }
      const controller = new AbortController();
      running.current = controller;
      const preview = URL.createObjectURL(file);
      const show = (phase: UploadPhase, progress: number) =>
        setState({ kind: 'busy', phase, progress, preview, fileName: file.name });
      window.addEventListener('beforeunload', warnOfLeaving);
      show('preparing', 0);
      // Preloads the next pages' messages.
      void i18n.loadNamespaces(['processing', 'result']);
      try {
        const taskId = await uploadFile(file, { signal: controller.signal, onChange: show });
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

  return { state, send, cancel };
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
