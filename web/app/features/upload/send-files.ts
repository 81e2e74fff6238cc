import type { ProblemView } from '../../http/problem';
import { batchAddress, processingAddress, videoAddress } from '../../session/task-addresses';
import { rememberPicture } from '../../ui/picture/local-picture';
import { fileKindOf } from '../media-files/file-types';
import type { Uploader } from '../media-files/uploader';
import type { Modals } from '../modals/create-modals';
import { CONNECTION_LOST } from '../transfers/connection';
import {
  cancel,
  createUpload,
  finishRestored,
  forget,
  provideFile,
  startTransfers,
  UploadError,
  type UploadOptions,
  uploadFile,
} from '../transfers/transfers';
import { chooseFiles } from './choose-files';
import { UploadProgress } from './upload-progress';
import { confirmLeave, IDLE, type UploadState } from './upload-state';

export { cancel, preloadTransfers } from '../transfers/transfers';

export interface SendOptions {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
  readonly navigate: (address: string) => void;
  readonly loadSections: () => Promise<void>;
  readonly setState: (state: UploadState) => void;
  readonly signal: AbortSignal;
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
  if (interruptedId && single && others.length === 0 && (await provideFile(interruptedId, single)))
    return continueFile(interruptedId, single, options);
  const files = await chooseFiles(given, options);
  const [first] = files ?? [];
  if (!files || !first || options.signal.aborted) return;
  if (interruptedId) cancel(interruptedId);
  if (files.length === 1) await sendOne(first, options, (progress) => uploadFile(first, progress));
  else await showUntilDone(files, options, (progress) => sendBatch(files, options, progress));
}

export const continueFile = (taskId: string, file: File, options: SendOptions): Promise<void> =>
  sendOne(file, options, (progress) => finishRestored(taskId, file, progress));

function sendOne(
  file: File,
  options: SendOptions,
  upload: (progress: UploadOptions) => Promise<string>,
): Promise<void> {
  return showUntilDone([file], options, async (progress) => {
    void options.loadSections();
    const taskId = await upload(progress);
    const isVideo = fileKindOf(file) === 'video';
    if (!isVideo) rememberPicture(taskId, file);
    forget(taskId);
    options.navigate(isVideo ? videoAddress(taskId) : processingAddress(taskId));
  });
}

/** The transfers continue on the batch page. */
async function sendBatch(
  files: readonly File[],
  { navigate }: SendOptions,
  { signal, onChange }: UploadOptions,
): Promise<void> {
  const onInterruption = (interruption: 'offline' | 'reconnecting') => onChange(interruption, 0, null);
  const tickets = await createUpload(files, { signal, onInterruption });
  const [ticket] = tickets;
  if (!ticket?.bulkUploadId) throw new UploadError(CONNECTION_LOST);
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
    if (signal.aborted) setState(IDLE);
    else await explain(error instanceof UploadError ? error.problem : CONNECTION_LOST, files, options);
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
  const isShown = await import('./refused-upload')
    .then(({ showRefusal }) => showRefusal(problem, files, { uploader, open }))
    .catch(() => false);
  setState(isShown ? IDLE : { kind: 'idle', problem, files });
  if (problem.code === 'users.not_authorized') void open('user:login', { problem: null, isStep: true });
}
