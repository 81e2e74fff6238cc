import type { ErrorCode } from '@clearframe/contract';
import type { DeletionTime } from '../../i18n/deletion-time';
import type { TaskView } from '../tasks/task-view';
import type { HistoryFilter } from './filters';

/** What the visitor may download: the full size, a smaller preview, or a file with watermark. */
export type DownloadKind = 'full' | 'small' | 'watermarked';

export interface HistoryItem {
  readonly task: TaskView;
  readonly createdAt: string;
  /** 'two hours ago', in the visitor's language. */
  readonly createdAgo: string;
  readonly deletion: DeletionTime;
  /** Null without a result. */
  readonly download: DownloadKind | null;
  readonly hasOriginal: boolean;
  readonly batchSize: number;
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  readonly filter: HistoryFilter;
  /** Cursors of the neighboring pages. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly problem: ErrorCode | null;
}
