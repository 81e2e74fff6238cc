import type { TaskView } from '../task/task-view';

/** How long something is still kept; the larger unit that fits. */
export interface TimeLeft {
  readonly unit: 'days' | 'hours' | 'minutes';
  readonly count: number;
}

/** One photo in the list of past ones. */
export interface HistoryItem {
  readonly task: TaskView;
  readonly createdAt: string;
  /** 'two hours ago', in the visitor's language. */
  readonly createdAgo: string;
  /** When it is deleted. */
  readonly expiresAt: string;
  readonly left: TimeLeft;
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  /** Names the page after this one; null on the last. */
  readonly next: string | null;
  readonly isFirst: boolean;
}
