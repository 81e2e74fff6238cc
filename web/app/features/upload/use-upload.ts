import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppNavigate } from '../../ui/page/app-link';
import { useModals } from '../modals/modals';
import type { Uploader } from './decide-upload';
import type { SendOptions, UploadState } from './send-files';
import { CONNECTION_LOST, confirmLeave, fileOf, onceOnline, useTransfers } from './transfer-store';

const IDLE: UploadState = { kind: 'idle' };

/** Not part of the page's script, but preloaded for the first file. */
const loadSender = () => import('./send-files');
type Sender = Awaited<ReturnType<typeof loadSender>>;

/** Uploads a photo, then navigates to the processing page; several go to the batch page while they are sent. */
export function useUpload(uploader: Uploader) {
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
        if (!files) return setState({ kind: 'idle', problem: CONNECTION_LOST });
        if (!navigator.onLine) await untilOnline(signal, setState);
        setState(IDLE);
        if (signal.aborted) return;
        const loadSections = () => i18n.loadNamespaces(['processing', 'result']);
        const sender = await loadSender().catch(() => null);
        if (sender) await upload(sender, { uploader, open, navigate, loadSections, setState, signal }, files);
        else setState({ kind: 'idle', problem: CONNECTION_LOST, files });
      } finally {
        running.current = null;
      }
    },
    [navigate, i18n, open, uploader],
  );

  const [restored] = [...useTransfers()].filter(([, { isSingle }]) => isSingle);
  const restoredId = restored?.[0];
  const isInterrupted = restored?.[1].state === 'needsFile';
  const isStopped = isInterrupted || restored?.[1].state === 'failed';
  const stoppedId = useRef<string | null>(null);
  useEffect(() => {
    stoppedId.current = (isStopped && restoredId) || null;
  }, [isStopped, restoredId]);

  useEffect(() => {
    const file = restoredId && fileOf(restoredId);
    if (!file) return;
    void run([file], (sender, options) => sender.continueFile(restoredId, file, options));
  }, [restoredId, run]);

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
    interrupted: isInterrupted && restored ? restored[1].fileName : null,
    discard: () =>
      restoredId &&
      loadSender().then(
        (sender) => sender.cancel(restoredId),
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
