import { type ProblemView, UNREACHABLE } from '../../http/browser-client';
import { batchAddress, processingAddress, videoAddress } from '../../session/task-addresses';
import { track } from '../../telemetry/telemetry';
import { rememberPicture } from '../../ui/picture/picture-url';
import type { Modals } from '../modals/create-modals';
import { decideUpload, type UploadDecision, type Uploader } from './decide-upload';
import { openFileChooser } from './file-input';
import { fileKindOf } from './file-types';
import { fetchUploader, showRefusal, trackUploadError, type UploadContext } from './refused-upload';
import { confirmLeave, transferStore, UploadError } from './transfer-store';
import { cancel, createUpload, forget, provideFile, startTransfers } from './transfers';
import { type BusyUpload, UploadProgress } from './upload-progress';
import { readVideoMetadata } from './video-metadata';

export { cancel } from './transfers';

export type UploadState =
  | {
      readonly kind: 'idle';
      readonly problem?: ProblemView;
      /** Files to try again after an error that isn't about the files themselves. */
      readonly files?: readonly File[];
    }
  /** Waits for the network to load the code of uploads. */
  | { readonly kind: 'offline' }
  /** `View`: part of the code that is loaded with the first file. */
  | ({ readonly kind: 'busy'; readonly View: typeof UploadProgress } & BusyUpload);

export interface SendOptions {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
  readonly navigate: (address: string) => void;
  readonly loadSections: () => Promise<void>;
  readonly setState: (state: UploadState) => void;
  readonly signal: AbortSignal;
}

interface UploadOptions {
  readonly signal: AbortSignal;
  /** @param pausableId id of the task, if pausing keeps what was sent */
  readonly onChange: (phase: BusyUpload['phase'], sent: number, pausableId: string | null) => void;
}

/**
 * Decides what happens to chosen files, uploads them, and goes to the page that shows them.
 * @param interruptedId task of an upload that a reload interrupted: continued with its file, else cancelled
 */
export async function sendFiles(
  given: readonly File[],
  interruptedId: string | null,
  options: SendOptions,
): Promise<void> {
  const [single, ...others] = given;
  if (interruptedId && single && others.length === 0 && provideFile(interruptedId, single))
    return continueFile(interruptedId, single, options);
  const files = await chooseFiles(given, options);
  const [first] = files ?? [];
  if (!files || !first || options.signal.aborted) return;
  if (interruptedId) cancel(interruptedId);
  if (files.length === 1) await sendOne(first, options, (progress) => startTransfer(first, progress));
  else await showUntilDone(files, options, (progress) => sendBatch(files, options, progress));
}

/** Continues a transfer that was restored after a reload. */
export const continueFile = (taskId: string, file: File, options: SendOptions): Promise<void> =>
  sendOne(file, options, async () => taskId);

/** Uploads one file and starts its processing, then leads to its page. */
function sendOne(file: File, options: SendOptions, start: (progress: UploadOptions) => Promise<string>): Promise<void> {
  return showUntilDone([file], options, async (progress) => {
    void options.loadSections();
    const taskId = await finishTransfer(await start(progress), progress, () => startTransfer(file, progress));
    const isVideo = fileKindOf(file) === 'video';
    if (!isVideo) rememberPicture(taskId, file);
    forget(taskId);
    options.navigate(isVideo ? videoAddress(taskId) : processingAddress(taskId));
  });
}

async function startTransfer(file: File, { signal, onChange }: UploadOptions): Promise<string> {
  const tickets = await createUpload([file], { signal, onInterruption: (state) => onChange(state, 0, null) });
  const [ticket] = tickets;
  if (!ticket) throw new UploadError(UNREACHABLE);
  startTransfers(tickets, [file], true);
  return ticket.taskId;
}

const EXPIRED: readonly string[] = ['uploads.url_expired', 'uploads.expired'];

/**
 * Waits until processing has started. Cancels the upload when aborted, and keeps it when the connection is lost.
 * @returns the id of the task
 */
async function finishTransfer(
  taskId: string,
  options: UploadOptions,
  startAgain?: () => Promise<string>,
): Promise<string> {
  try {
    await untilSent(taskId, options);
    return taskId;
  } catch (error) {
    // Keeps what the server has, to try again.
    if (error instanceof UploadError && error.problem === UNREACHABLE) throw error;
    cancel(taskId);
    // The address expired while the browser was offline or the page closed.
    const isExpired = error instanceof UploadError && EXPIRED.includes(error.problem.code);
    if (!isExpired || !startAgain) throw error;
    return finishTransfer(await startAgain(), options);
  }
}

function untilSent(taskId: string, { signal, onChange }: UploadOptions): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const check = () => {
      const { state = 'sent', sent, problem, ticket } = transferStore.get(taskId) ?? {};
      if (state === 'sent') resolve();
      else if (state === 'failed') reject(new UploadError(problem ?? UNREACHABLE));
      else if (state !== 'waiting' && state !== 'needsFile')
        onChange(state, sent ?? 0, ticket?.resumableUrl ? taskId : null);
    };
    ended.signal.addEventListener('abort', transferStore.subscribe(check));
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { signal: ended.signal });
    if (signal.aborted) onAbort();
    check();
  }).finally(() => ended.abort());
}

/** The transfers continue on the batch page. */
async function sendBatch(
  files: readonly File[],
  { navigate }: SendOptions,
  { signal, onChange }: UploadOptions,
): Promise<void> {
  const tickets = await createUpload(files, { signal, onInterruption: (state) => onChange(state, 0, null) });
  const [ticket] = tickets;
  if (!ticket?.bulkUploadId) throw new UploadError(UNREACHABLE);
  startTransfers(tickets, files);
  navigate(batchAddress(ticket.bulkUploadId));
}

/** Shows the first file while an upload runs, and the error that ends it. */
async function showUntilDone(
  files: readonly File[],
  options: SendOptions,
  work: (progress: UploadOptions) => Promise<void>,
): Promise<void> {
  const { setState, signal } = options;
  const [first] = files;
  if (!first) return;
  const preview = URL.createObjectURL(first);
  const shown = { preview, fileName: first.name, isVideo: fileKindOf(first) === 'video', View: UploadProgress };
  const onChange: UploadOptions['onChange'] = (phase, progress, pausableId) =>
    setState({ kind: 'busy', phase, progress, pausableId, ...shown });
  window.addEventListener('beforeunload', confirmLeave);
  onChange('preparing', 0, null);
  try {
    await work({ signal, onChange });
  } catch (error) {
    if (signal.aborted) setState({ kind: 'idle' });
    else await explain(error instanceof UploadError ? error.problem : UNREACHABLE, files, options);
  } finally {
    window.removeEventListener('beforeunload', confirmLeave);
    URL.revokeObjectURL(preview);
  }
}

/** Errors of the files open a modal; others are shown beside the form, to try again. */
async function explain(
  problem: ProblemView,
  files: readonly File[],
  { uploader, open, setState }: SendOptions,
): Promise<void> {
  const isShown = await showRefusal(problem, files, { uploader, open }).catch(() => false);
  setState(isShown ? { kind: 'idle' } : { kind: 'idle', problem, files });
  if (problem.code === 'users.not_authorized') void open('user:login', { problem: null, isStep: true });
}

let isSurveyShown = false;

/** The feature-ranking survey, before the upload continues (spec 2, section 4); once per page. */
async function showSurvey({ isSurveyed }: Uploader, open: Modals['open']): Promise<void> {
  if (!isSurveyed || isSurveyShown) return;
  isSurveyShown = true;
  await open('survey:features', { step: 'start' });
}

/**
 * Decides what happens to chosen files, asking the visitor where needed.
 * @returns one photo, several for a batch, or null when nothing is to be uploaded
 */
async function chooseFiles(chosen: readonly File[], context: UploadContext): Promise<readonly File[] | null> {
  const { open } = context;
  let files = chosen;
  for (;;) {
    const isPlain = files.length < 2 && files.every((file) => fileKindOf(file) !== 'video');
    const uploader = isPlain ? context.uploader : await fetchUploader(context);
    const duration = isPlain || !uploader.limits.video ? null : await durationOf(files);
    const { role, limits } = uploader;
    const decision = decideUpload({ files, role, limits, duration, hasVideo: true });
    trackDecision(decision, files.length);
    switch (decision.kind) {
      case 'error':
        switch (await open('upload:error', decision.error)) {
          case 'goOn':
            files = decision.rest;
            continue;
          case 'choose':
            openFileChooser();
        }
        return null;
      case 'offer': {
        const { topic, single } = decision;
        const outcome = await open('offer', { topic, hasSingle: single !== null, continuesAfterLogin: true });
        if (outcome === 'tryPhoto') openFileChooser();
        if (outcome === 'single' && single) files = [single];
        else if (outcome !== 'logIn' || (await open('user:login', { problem: null, isStep: true })) !== 'loggedIn')
          return null;
        break;
      }
      default:
        await showSurvey(uploader, open);
        return decision.kind === 'batch' ? decision.files : [decision.file];
    }
  }
}

/** Duration of a single video that the browser can read. */
async function durationOf([file, ...others]: readonly File[]): Promise<number | null> {
  if (!file || others.length > 0) return null;
  return (await readVideoMetadata(file))?.duration ?? null;
}

/** Spec 2, section 4. */
function trackDecision(decision: UploadDecision<File>, files: number): void {
  if (decision.kind === 'offer' && decision.topic === 'batch')
    track('bulk_upload_limit', { reason: 'business_required', files });
  const error = 'error' in decision ? decision.error : null;
  if (error) trackUploadError(error, files);
}
