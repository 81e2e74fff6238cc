/**
 * Lets work on one thing happen in turns within this process. What would only wait for a lock in the database waits
 * here instead, and holds no connection meanwhile: two hundred requests of one visitor must not keep everybody else from
 * the database. The lock is still what makes it safe.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` once everything that came before it under the same key has ended, well or badly. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const ended = turn.catch(() => undefined);
    this.last.set(key, ended);
    try {
      return await turn;
    } finally {
      // Nobody has come since.
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}
