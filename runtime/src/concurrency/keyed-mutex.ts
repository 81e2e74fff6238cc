import { Mutex } from 'async-mutex';

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
