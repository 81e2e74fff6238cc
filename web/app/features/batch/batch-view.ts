import type { ErrorCode } from '@clearframe/contract';
import type { FormattedDate } from '../../i18n/formatted-date';
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
