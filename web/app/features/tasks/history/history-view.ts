import type { FormattedDate } from '../../../i18n/formatted-date';
import type { TaskView } from '../task/task-view';

export interface HistoryItem {
  readonly task: TaskView;
  readonly createdAt: string;
  /** 'two hours ago', in the visitor's language. */
  readonly createdAgo: string;
  readonly deletion: FormattedDate;
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  /** Cursor of the next page. */
  readonly next: string | null;
  readonly isFirst: boolean;
}
