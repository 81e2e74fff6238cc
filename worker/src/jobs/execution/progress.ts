/** Each update is a Redis write; pages poll every 2 seconds. */
const INTERVAL_MS = 250;

/** Throttles progress, which never decreases. Stop it before the job is removed. */
export class ProgressReporter {
  private written = -1;
  private newest = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param write its errors are ignored */
  constructor(private readonly write: (fraction: number) => Promise<unknown>) {}

  report(fraction: number): void {
    this.newest = Math.max(this.newest, Math.min(1, fraction));
    if (this.timer || this.newest <= this.written) return;
    this.flush();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.written = Number.POSITIVE_INFINITY;
  }

  private flush(): void {
    this.written = this.newest;
    this.write(this.newest).catch(() => undefined);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.newest > this.written) this.flush();
    }, INTERVAL_MS);
  }
}
