import type { ProblemView } from '../../../http/problem';
import { rememberPicture } from '../../../ui/picture/local-picture';
import type { Modals } from '../../modals/create-modals';
import { chooseFiles } from '../decision/choose-files';
import type { Uploader } from '../shared/uploader';
import { CONNECTION_LOST } from '../transfers/connection';
import { createUpload, forget, startTransfers, UploadError } from '../transfers/transfers';
import { type UploadPhase, uploadFile } from '../transfers/upload-file';
import { UploadProgress } from './upload-progress';
import { IDLE, type UploadState, warnOfLeaving } from './upload-state';

export { preloadTransfers } from '../transfers/transfers';

interface SendOptions {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
  readonly navigate: (address: string) => void;
  /** Preloads the next pages' messages. */
  readonly loadSections: () => Promise<void>;
  readonly setState: (state: UploadState) => void;
  readonly signal: AbortSignal;
}

/** Decides what happens to chosen files, uploads them, and goes to the page that shows them. */
export async function sendFiles(given: readonly File[], options: SendOptions): Promise<void> {
  const { setState, signal } = options;
  const files = await chooseFiles(given, options);
  const [first] = files ?? [];
  if (!files || !first || signal.aborted) return;
  const preview = URL.createObjectURL(first);
  const show = (phase: UploadPhase, progress: number) =>
    setState({ kind: 'busy', phase, progress, preview, fileName: first.name, View: UploadProgress });
  window.addEventListener('beforeunload', warnOfLeaving);
  show('preparing', 0);
  try {
    await (files.length === 1 ? sendOne(first, options, show) : sendBatch(files, options, show));
  } catch (error) {
    if (signal.aborted) setState(IDLE);
    else await explain(error instanceof UploadError ? error.problem : CONNECTION_LOST, files, options);
  } finally {
    window.removeEventListener('beforeunload', warnOfLeaving);
    URL.revokeObjectURL(preview);
  }
}

type Show = (phase: UploadPhase, progress: number) => void;

async function sendOne(file: File, { navigate, loadSections, signal }: SendOptions, show: Show): Promise<void> {
  void loadSections();
  const taskId = await uploadFile(file, { signal, onChange: show });
  rememberPicture(taskId, file);
  forget(taskId);
  navigate(`/processing?taskId=${taskId}`);
}

/** The transfers continue on the batch page. */
async function sendBatch(files: readonly File[], { navigate, signal }: SendOptions, show: Show): Promise<void> {
  const tickets = await createUpload(files, { signal, onInterruption: (interruption) => show(interruption, 0) });
  const [ticket] = tickets;
  if (!ticket) throw new UploadError(CONNECTION_LOST);
  startTransfers(tickets, files);
  navigate(`/batch?bulkUploadId=${ticket.bulkUploadId}`);
}

/** Errors of the files open a modal; others are shown beside the form, to try again. */
async function explain(problem: ProblemView, files: readonly File[], { open, setState }: SendOptions): Promise<void> {
  const refusal = await import('../decision/refused-upload')
    .then(({ explainRefusal }) => explainRefusal(problem, files))
    .catch(() => null);
  setState(refusal ? IDLE : { kind: 'idle', problem, files });
  if (refusal) void open('upload:error', refusal);
  if (problem.code === 'users.not_authorized') void open('user:login', { problem: null });
}
