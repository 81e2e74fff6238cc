/**
 * A value that is loaded again when its lifetime is over. Concurrent callers share one load; a failed load is not kept.
 * The lifetime in milliseconds, from the end of the load, may depend on how long the load took.
 */
export class Cached<Value> {
  private current: { readonly value: Promise<Value>; until: number } | null = null;

  constructor(
    private readonly lifetimeMs: number | ((loadMs: number) => number),
    private readonly load: () => Promise<Value>,
  ) {}

  get(): Promise<Value> {
    if (this.current && this.current.until > performance.now()) return this.current.value;
    const started = performance.now();
    const entry = { value: this.load(), until: Number.POSITIVE_INFINITY };
    this.current = entry;
    const loaded = (): void => {
      const now = performance.now();
      entry.until = now + (typeof this.lifetimeMs === 'number' ? this.lifetimeMs : this.lifetimeMs(now - started));
    };
    const failed = (): void => {
      if (this.current === entry) this.current = null;
    };
    entry.value.then(loaded, failed);
    return entry.value;
  }

  /** The next call loads again, even while a load is running. */
  invalidate(): void {
    this.current = null;
  }
}
