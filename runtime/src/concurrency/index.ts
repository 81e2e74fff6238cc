import { Mutex } from 'async-mutex';

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

/**
 * Serializes work per key within this process, so that requests of one user don't each hold a connection while waiting
 * for a database lock.
 */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      if (!mutex.isLocked()) this.mutexes.delete(key);
    }
  }

  get size(): number {
    return this.mutexes.size;
  }
}

/** A process that was stopped, or got no processor, makes no checks meanwhile. */
const CHECKS = 10;

export interface SilenceWatch {
  progressed(): void;
  stop(): void;
}

/**
 * Calls `onSilence` once nothing has progressed for a time. Total time is not limited, and the time is counted in
 * checks: on a starved machine, work that advances slowly is not taken for stuck.
 */
export function watchSilence(limitMs: number, onSilence: () => void): SilenceWatch {
  let silentChecks = 0;
  const check = () => {
    silentChecks += 1;
    if (silentChecks >= CHECKS) onSilence();
    else timer = setTimeout(check, limitMs / CHECKS);
  };
  let timer = setTimeout(check, limitMs / CHECKS);
  return {
    progressed: () => {
      silentChecks = 0;
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Result of `work`, or of `onTimeout` if it takes longer. Work that goes on after its timeout can't cause an unhandled
 * rejection.
 * @param onTimeout may throw
 */
export async function withTimeout<Result, Late = never>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    return await Promise.race([work, late.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Result of `work`. Throws the signal's reason as soon as it is aborted, even if `work` ignores the signal. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
