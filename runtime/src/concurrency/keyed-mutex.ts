import { Mutex } from 'async-mutex';

/**
 * Runs work under one key strictly one after another within this process. Placed before a database lock, it keeps
 * concurrent requests of one user from holding a connection each while they wait; the database lock gives the safety.
 */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /** Runs `work` after all earlier work under the same key has settled. */
  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      if (!mutex.isLocked()) this.mutexes.delete(key);
    }
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.mutexes.size;
  }
}
