import { canceled } from './abort.ts';

/**
 * `waiting` → `running` → `done`, `failed`, `skipped` or, when the batch was stopped, `stopped`. A failed or stopped item may wait
 * again.
 */
export type ItemState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped' | 'stopped';

export interface Item<Work> {
  readonly work: Work;
  readonly name: string;
  state: ItemState;
  /** 0 to 1 while it runs. */
  progress: number;
  error: unknown;
}

/** What a failure means for the items behind it. */
export type Verdict = 'next' | 'stop';

/** The key, the plan or the account is at fault: each further item would fail like this one. */
const STOPPING_STATUSES: readonly unknown[] = [401, 402, 403, 409];

/** The client has waited for what passes (429, 503) before it fails; then the server is away, and the batch stops, too. */
export function verdictOf(error: unknown): Verdict {
  const { status, isRetryable } = error as { status?: unknown; isRetryable?: unknown };
  return STOPPING_STATUSES.includes(status) || isRetryable === true ? 'stop' : 'next';
}

export interface BatchOptions<Work> {
  readonly concurrency: number;
  /** @returns false where there is nothing to do, as the result exists */
  readonly run: (work: Work, signal: AbortSignal, onProgress: (share: number) => void) => Promise<boolean>;
  readonly onChange: () => void;
}

/** Works on items, some at a time. A failure ends one item, or where it would repeat the batch. */
export class Batch<Work> {
  readonly items: readonly Item<Work>[];
  private readonly options: BatchOptions<Work>;
  private controller = new AbortController();
  /** Why it ended before its items did; null if it didn't. */
  stoppedBy: unknown = null;

  constructor(works: readonly { readonly work: Work; readonly name: string }[], options: BatchOptions<Work>) {
    this.items = works.map(({ work, name }) => ({ work, name, state: 'waiting', progress: 0, error: null }));
    this.options = options;
  }

  /** Ends when nothing waits or runs any more. */
  async run(): Promise<void> {
    this.controller = new AbortController();
    this.stoppedBy = null;
    const lanes = Array.from({ length: this.options.concurrency }, () => this.workOn());
    await Promise.all(lanes);
    for (const item of this.items) if (item.state === 'waiting') item.state = 'stopped';
    this.options.onChange();
  }

  /** Those that failed or were stopped, again. */
  async retry(): Promise<void> {
    for (const item of this.items)
      if (item.state === 'failed' || item.state === 'stopped')
        Object.assign(item, { state: 'waiting', progress: 0, error: null });
    await this.run();
  }

  cancel(): void {
    this.controller.abort(canceled());
  }

  private async workOn(): Promise<void> {
    const { signal } = this.controller;
    for (;;) {
      const item = signal.aborted ? undefined : this.items.find(({ state }) => state === 'waiting');
      if (!item) return;
      item.state = 'running';
      this.options.onChange();
      const onProgress = (share: number) => {
        item.progress = share;
        this.options.onChange();
      };
      try {
        item.state = (await this.options.run(item.work, signal, onProgress)) ? 'done' : 'skipped';
      } catch (error) {
        item.state = signal.aborted ? 'stopped' : 'failed';
        item.error = signal.aborted ? null : error;
        if (!signal.aborted && verdictOf(error) === 'stop') {
          this.stoppedBy = error;
          this.controller.abort(error);
        }
      }
      this.options.onChange();
    }
  }
}
