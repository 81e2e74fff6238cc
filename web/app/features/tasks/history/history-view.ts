import type { FormattedDate } from '../../../i18n/formatted-date';
import type { TaskView } from '../task/task-view';

/** One photo in the list of past ones. */
export interface HistoryItem {
  readonly task: TaskView;
  readonly createdAt: string;
  /** 'two hours ago', in the visitor's language. */
  readonly createdAgo: string;
  readonly deletion: FormattedDate;
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  /** Names the page after this one; null on the last. */
  readonly next: string | null;
  readonly isFirst: boolean;
}
