import { inMilliseconds } from '@clearframe/contract';
import type { Ledger, Transaction } from './ledger.js';
import type { WebhookSender } from './webhook-sender.js';

const EVERY_MS = inMilliseconds.seconds(1);

/** Executes the change of an object that is due at `tx.now`, by type of object. */
export type DueChanges = Readonly<Record<string, (tx: Transaction, id: string) => Promise<void>>>;

/** Executes scheduled changes in order: notices, renewals, retries, expirations. */
export class Scheduler {
  private running: Promise<unknown> = Promise.resolve();
  private isStopping = false;
  /** Offset that the clock reaches by what has been ordered. */
  private targetMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly webhooks: WebhookSender,
    private readonly changes: DueChanges,
    private readonly report: (message: string) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      void this.runExclusive(() => this.catchUp())
        .catch((error: Error) => this.report(`the scheduler is waiting: ${error.message}`))
        .then(() => this.isStopping || this.start());
    }, EVERY_MS);
  }

  /**
   * Moves billing time from one scheduled change to the next, delivering each change's events before moving on.
   * @returns the new time in Unix milliseconds, and a promise of its arrival, which never leads to an unhandled rejection
   */
  async advance(seconds: number): Promise<{ nowMs: number; hasHappened: Promise<void> }> {
    const present = await this.ledger.clockOffsetMs();
    const offsetMs = Math.max(present, this.targetMs) + seconds * 1000;
    this.targetMs = offsetMs;
    const nowMs = Date.now() + offsetMs;
    const hasHappened = this.runExclusive(async () => {
      while (!this.isStopping && (await this.step(Math.floor(nowMs / 1000)))) await this.webhooks.deliver();
      await this.ledger.transact((tx) => tx.moveClock(offsetMs));
    });
    hasHappened.catch((error: Error) => this.report(`the clock was not advanced: ${error.message}`));
    return { nowMs, hasHappened };
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async catchUp(): Promise<void> {
    const now = await this.ledger.read(async (reader) => reader.now);
    while (!this.isStopping && (await this.step(now)));
    await this.webhooks.deliver();
  }

  /** Serializes changes and moves of the clock. */
  private runExclusive<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.running.then(act);
    this.running = result.catch(() => undefined);
    return result;
  }

  private step(by: number): Promise<boolean> {
    return this.ledger.transact(async (tx) => {
      const due = await tx.nextDue(by);
      if (!due) return false;
      const change = this.changes[due.type];
      if (!change) throw new Error(`no scheduled change of ${due.type}`);
      await change(await tx.at(due.at), due.id);
      return true;
    });
  }
}
