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
   * @returns the new time in Unix seconds
   */
  advance(seconds: number): Promise<number> {
    return this.runExclusive(async () => {
      const offsetMs = (await this.ledger.clockOffsetMs()) + seconds * 1000;
      const target = Math.floor((Date.now() + offsetMs) / 1000);
      while (!this.isStopping && (await this.step(target))) await this.webhooks.deliver();
      await this.ledger.transact((tx) => tx.moveClock(offsetMs));
      return Math.floor((Date.now() + offsetMs) / 1000);
    });
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
