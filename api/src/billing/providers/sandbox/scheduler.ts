import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LessThanOrEqual } from 'typeorm';
import { Agreement, Intent, Order } from './core/ledger.entities.js';
import { type LedgerTransaction, SandboxLedger } from './core/ledger.js';
import { SandboxClock } from './core/sandbox-clock.js';
import { waitBriefly } from './core/shutdown.js';
import { advance, later } from './payments/agreement-life.js';
import { expireIntent } from './payments/intents.js';
import { expireOrder } from './payments/orders.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

const EVERY_MS = inMilliseconds.seconds(1);

/** Something that happens by itself at a moment. */
interface Due {
  readonly at: Date;
  happen(tx: LedgerTransaction): Promise<void>;
}

/** What happens by itself: notices, renewals, retries, what is given up. Each in its turn, at its moment. */
@Injectable()
export class SandboxScheduler implements OnModuleDestroy {
  private readonly logger = new Logger(SandboxScheduler.name);
  private isLeaving = false;
  private isTicking = false;
  private isInTrouble = false;
  private moving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly clock: SandboxClock,
    private readonly webhooks: WebhookSender,
  ) {}

  /** Also in processes that run no jobs: their billing clock has to follow the ledger. */
  @Interval('sandbox.timetable', EVERY_MS)
  async tick(): Promise<void> {
    if (this.isLeaving || this.isTicking) return;
    this.isTicking = true;
    await this.inTurn(() => this.catchUp()).then(
      () => this.noteTrouble(null),
      (error: Error) => this.noteTrouble(error),
    );
    this.isTicking = false;
  }

  /**
   * Moves billing time on from one moment at which something falls due to the next. The product hears of each before
   * time goes on, as it would have in life. @returns the time that it is then
   */
  advance(seconds: number): Promise<Date> {
    return this.inTurn(async () => {
      const target = later(await this.ledger.transact(async ({ now }) => now), seconds * 1000);
      while (!this.isLeaving && (await this.step(target))) await this.webhooks.deliver();
      await this.ledger.transact((tx) => tx.at(target));
      return this.clock.now();
    });
  }

  /** Does what has fallen due while nobody moved the clock, and posts what is still to be posted. */
  private async catchUp(): Promise<void> {
    await this.clock.refresh();
    while (!this.isLeaving && (await this.step(await this.clock.now())));
    await this.webhooks.deliver();
  }

  /** Once per outage: the next look is a second away. */
  private noteTrouble(error: Error | null): void {
    if (error && !this.isInTrouble) this.logger.warn(`the timetable waits: ${error.message}`);
    this.isInTrouble = error !== null;
  }

  /** One thing at a time, and nobody moves the clock while somebody else does. */
  private inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = this.moving.then(act);
    this.moving = turn.catch(() => undefined);
    return turn;
  }

  /** Lets the first thing happen that is due by a moment. @returns false when there is none */
  private step(by: Date): Promise<boolean> {
    return this.ledger.transact(async (tx) => {
      const due = await firstDue(tx, by);
      if (!due) return false;
      await due.happen(await tx.at(due.at));
      return true;
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.isLeaving = true;
    await waitBriefly(this.moving);
  }
}

async function firstDue({ manager }: LedgerTransaction, by: Date): Promise<Due | null> {
  const first = { where: { nextAt: LessThanOrEqual(by) }, order: { nextAt: 'ASC', createdAt: 'ASC' } } as const;
  const [agreement, intent, order] = [
    await manager.findOne(Agreement, first),
    await manager.findOne(Intent, first),
    await manager.findOne(Order, first),
  ];
  const dues = [
    agreement && due(agreement.nextAt, (tx) => advance(tx, agreement)),
    intent && due(intent.nextAt, (tx) => expireIntent(tx, intent)),
    order && due(order.nextAt, (tx) => expireOrder(tx, order)),
  ].filter((found): found is Due => !!found);
  return dues.reduce<Due | null>((soonest, next) => (soonest && soonest.at <= next.at ? soonest : next), null);
}

const due = (at: Date | null, happen: Due['happen']): Due | null => at && { at, happen };
