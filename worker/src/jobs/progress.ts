import type { RunProgressReport } from '@clearframe/contract';

/** Each update is a Redis write; pages poll every 2 seconds. */
const INTERVAL_MS = 250;

/** Throttles progress, which never decreases. Stop it before the job is removed. */
export class ProgressReporter {
  private newest = 0;
  private running: Omit<RunProgressReport, 'progress'> | undefined;
  /** Whether the newest report is still to be written. The first one always is. */
  private isStale = true;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  /** @param write its errors are ignored */
  constructor(private readonly write: (report: RunProgressReport) => Promise<unknown>) {}

  report(fraction: number, running?: Omit<RunProgressReport, 'progress'>): void {
    // Another step may begin at the same progress.
    this.isStale ||= fraction > this.newest || (fraction === this.newest && running?.until !== this.running?.until);
    if (fraction >= this.newest) this.running = running;
    this.newest = Math.max(this.newest, Math.min(1, fraction));
    if (!this.timer && this.isStale) this.flush();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.isStopped = true;
  }

  private flush(): void {
    if (this.isStopped) return;
    this.isStale = false;
    this.write({ progress: this.newest, ...this.running }).catch(() => undefined);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.isStale) this.flush();
    }, INTERVAL_MS);
  }
}
