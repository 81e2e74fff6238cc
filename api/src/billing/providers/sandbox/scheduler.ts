import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LessThanOrEqual } from 'typeorm';
import { Agreement, Intent, Order } from './core/ledger.entities.js';
import { type LedgerTransaction, SandboxLedger } from './core/ledger.js';
import { SandboxClock } from './core/sandbox-clock.js';
import { waitWithTimeout } from './core/shutdown.js';
import { advance, later } from './payments/agreement-lifecycle.js';
import { expireIntent } from './payments/intents.js';
import { expireOrder } from './payments/orders.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

const EVERY_MS = inMilliseconds.seconds(1);

interface Due {
  readonly at: Date;
  run(tx: LedgerTransaction): Promise<void>;
}

/** Executes scheduled changes in order: notices, renewals, retries, expirations. */
@Injectable()
export class SandboxScheduler implements OnModuleDestroy {
  private readonly logger = new Logger(SandboxScheduler.name);
  private isShuttingDown = false;
  private isTicking = false;
  private isFailing = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly clock: SandboxClock,
    private readonly webhooks: WebhookSender,
  ) {}

  /** Also in processes that run no jobs: their billing clock must follow the ledger. */
  @Interval('sandbox.timetable', EVERY_MS)
  async tick(): Promise<void> {
    if (this.isShuttingDown || this.isTicking) return;
    this.isTicking = true;
    await this.runExclusive(() => this.catchUp()).then(
      () => this.reportFailure(null),
      (error: Error) => this.reportFailure(error),
    );
    this.isTicking = false;
  }

  /**
   * Moves billing time from one scheduled change to the next, delivering each change's events before moving on.
   * @returns the new time
   */
  advance(seconds: number): Promise<Date> {
    return this.runExclusive(async () => {
      const target = later(await this.ledger.transact(async ({ now }) => now), seconds * 1000);
      while (!this.isShuttingDown && (await this.step(target))) await this.webhooks.deliver();
      await this.ledger.transact((tx) => tx.at(target));
      return this.clock.now();
    });
  }

  private async catchUp(): Promise<void> {
    await this.clock.refresh();
    while (!this.isShuttingDown && (await this.step(await this.clock.now())));
    await this.webhooks.deliver();
  }

  /** Logged once for each outage. */
  private reportFailure(error: Error | null): void {
    if (error && !this.isFailing) this.logger.warn(`the scheduler is waiting: ${error.message}`);
    this.isFailing = error !== null;
  }

  /** Serializes changes and moves of the clock. */
  private runExclusive<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.running.then(act);
    this.running = result.catch(() => undefined);
    return result;
  }

  /** Executes the first change due by a moment. @returns false when there is none */
  private step(by: Date): Promise<boolean> {
    return this.ledger.transact(async (tx) => {
      const due = await firstDue(tx, by);
      if (!due) return false;
      await due.run(await tx.at(due.at));
      return true;
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    await waitWithTimeout(this.running);
  }
}

async function firstDue({ manager }: LedgerTransaction, by: Date): Promise<Due | null> {
  const first = { where: { nextAt: LessThanOrEqual(by) }, order: { nextAt: 'ASC', createdAt: 'ASC' } } as const;
  const [agreement, intent, order] = [
    await manager.findOne(Agreement, first),
    await manager.findOne(Intent, first),
    await manager.findOne(Order, first),
  ];
  const candidates = [
    agreement && due(agreement.nextAt, (tx) => advance(tx, agreement)),
    intent && due(intent.nextAt, (tx) => expireIntent(tx, intent)),
    order && due(order.nextAt, (tx) => expireOrder(tx, order)),
  ].filter((found): found is Due => !!found);
  return candidates.reduce<Due | null>((soonest, next) => (soonest && soonest.at <= next.at ? soonest : next), null);
}

const due = (at: Date | null, run: Due['run']): Due | null => at && { at, run };
