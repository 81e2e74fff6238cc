import { type ArchivePart, type ErrorCode, INVALID_CODES } from '@clearframe/contract';
import type { FormattedDate } from '../../i18n/formatted-date';
import { isTransferError } from '../../session/file-error';
import type { DownloadFormat } from '../downloads/download-view';
import type { TaskView } from '../tasks/task-view';
import type { Transfer, Transfers } from '../upload/transfer-store';

/** An upload of one or several photos (spec 2, sections 2 and 4). */
export interface BatchView {
  readonly bulkUploadId: string;
  readonly photos: readonly TaskView[];
  readonly places: number;
  readonly hasEnded: boolean;
  /** Of the download of all photos: what the plan includes. */
  readonly formats: readonly DownloadFormat[];
  /** Of a download too large for one ZIP. */
  readonly parts: readonly ArchivePart[];
  readonly deletion: FormattedDate;
}

/** Cancelled photos don't count. */
interface BatchSummary {
  readonly total: number;
  /** Photos with a result, also while they are processed again. */
  readonly ready: number;
  readonly failed: number;
  readonly applying: number;
}

export interface BatchResponse {
  readonly problem: ErrorCode | null;
  /** Every other photo has the look already. */
  readonly isSameLook: boolean;
}

export const isApplying = ({ state, output }: TaskView): boolean =>
  output !== null && (state.kind === 'working' || state.kind === 'waiting');

const hasFailed = ({ state, output, uploadProblem }: TaskView): boolean =>
  output === null && (uploadProblem !== null || state.kind === 'failed' || state.kind === 'invalid');

/**
 * The backend ends tasks whose address has expired. A transfer of this document opens them again: until then they wait.
 */
export function withTransfers(batch: BatchView, transfers: Transfers): BatchView {
  const photos = batch.photos.map((photo): TaskView => {
    const { state, taskId } = photo;
    const isExpired = state.kind === 'invalid' && state.code === 'uploads.expired';
    return isExpired && isUnfinished(transfers.get(taskId)) ? { ...photo, state: { kind: 'uploading' } } : photo;
  });
  return { ...batch, photos, hasEnded: batch.hasEnded && !photos.some(isPending) };
}

const isUnfinished = (transfer: Transfer | undefined): boolean =>
  transfer !== undefined && transfer.state !== 'failed' && transfer.state !== 'needsFile';

export const isPending = ({ state, uploadProblem }: TaskView): boolean =>
  state.kind === 'working' || state.kind === 'waiting' || (state.kind === 'uploading' && uploadProblem === null);

export const summaryOf = (photos: readonly TaskView[]): BatchSummary => ({
  total: photos.filter(({ state }) => state.kind !== 'cancelled').length,
  ready: photos.filter(({ output }) => output !== null).length,
  failed: photos.filter(hasFailed).length,
  applying: photos.filter(isApplying).length,
});

type StateText =
  | 'file'
  | 'sending'
  | 'waiting'
  | 'paused'
  | 'offline'
  | 'reconnecting'
  | 'checking'
  | 'queued'
  | 'working'
  | 'applying'
  | 'failed'
  | 'invalid'
  | 'cancelled'
  | 'needsFile';

export interface CardState {
  readonly text: StateText | null;
  /** 0..1, null while unknown; absent without a bar. */
  readonly progress?: number | null;
  readonly problem: ErrorCode | null;
  readonly isReady: boolean;
  /** Processed by the backend: the original is stored. */
  readonly canRetry: boolean;
  readonly canCancel: boolean;
  readonly canDelete: boolean;
  /** State of its transfer in this document. */
  readonly transfer: 'running' | 'paused' | 'failed' | null;
}

const BASE = { problem: null, isReady: false, canRetry: false, canCancel: false, canDelete: false, transfer: null };
const ENDED = { ...BASE, canDelete: true };

export function cardStateOf(photo: TaskView, transfer: Transfer | undefined): CardState {
  const { state, output, lastProblem, uploadProblem } = photo;
  if (transfer && transfer.state !== 'sent' && state.kind === 'uploading') return transferState(transfer);
  const isReady = output !== null;
  switch (state.kind) {
    case 'done':
      return { ...ENDED, text: null, isReady, problem: lastProblem };
    case 'waiting':
      return { ...BASE, text: isApplying(photo) ? 'applying' : 'queued', progress: null, isReady, canCancel: true };
    case 'working':
      return {
        ...BASE,
        text: isApplying(photo) ? 'applying' : 'working',
        progress: state.progress,
        isReady,
        canCancel: true,
      };
    case 'failed':
      return { ...ENDED, text: 'failed', problem: state.code, canRetry: true };
    case 'invalid':
      return { ...ENDED, text: textOf(state.code), problem: state.code };
    case 'cancelled':
      return { ...ENDED, text: 'cancelled' };
    case 'uploading':
      if (uploadProblem) return { ...ENDED, text: textOf(uploadProblem), problem: uploadProblem };
      return { ...BASE, text: transfer ? 'checking' : 'file', canCancel: true };
  }
}

/** 'Can't be read' would blame a file whose bytes didn't arrive. */
const textOf = (code: ErrorCode): 'failed' | 'invalid' => (isTransferError(code) ? 'failed' : 'invalid');

const isFileProblem = (code: ErrorCode): boolean => INVALID_CODES.some((known) => known === code);

function transferState({ state, sent, problem }: Transfer): CardState {
  if (state === 'failed') {
    const code = problem?.code ?? 'service.unavailable';
    const isFile = isFileProblem(code);
    return {
      ...BASE,
      text: isFile ? textOf(code) : 'failed',
      problem: code,
      canCancel: true,
      transfer: isFile ? null : 'failed',
    };
  }
  const text = state === 'sent' ? 'checking' : state;
  const hasBar = state === 'sending' || state === 'paused' || state === 'offline' || state === 'reconnecting';
  return {
    ...BASE,
    text,
    ...(hasBar ? { progress: sent } : {}),
    canCancel: true,
    transfer: state === 'paused' ? 'paused' : state === 'checking' || state === 'needsFile' ? null : 'running',
  };
}
