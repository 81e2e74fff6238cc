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

/** A scheduled change. */
interface Due {
  readonly at: Date;
  happen(tx: LedgerTransaction): Promise<void>;
}

/** Runs scheduled changes in order: notices, renewals, retries, expirations. */
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

  /** Also in processes that run no jobs, whose billing clock must follow the ledger. */
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
   * Moves billing time from one scheduled change to the next. The events of each are delivered before
   * time moves on, as in reality. @returns the new time
   */
  advance(seconds: number): Promise<Date> {
    return this.inTurn(async () => {
      const target = later(await this.ledger.transact(async ({ now }) => now), seconds * 1000);
      while (!this.isLeaving && (await this.step(target))) await this.webhooks.deliver();
      await this.ledger.transact((tx) => tx.at(target));
      return this.clock.now();
    });
  }

  /** Runs changes that are due in real time, and delivers waiting events. */
  private async catchUp(): Promise<void> {
    await this.clock.refresh();
    while (!this.isLeaving && (await this.step(await this.clock.now())));
    await this.webhooks.deliver();
  }

  /** Logged once for each outage. */
  private noteTrouble(error: Error | null): void {
    if (error && !this.isInTrouble) this.logger.warn(`the scheduler waits: ${error.message}`);
    this.isInTrouble = error !== null;
  }

  /** Serializes changes and moves of the clock. */
  private inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = this.moving.then(act);
    this.moving = turn.catch(() => undefined);
    return turn;
  }

  /** Runs the first change that is due by a moment. @returns false when there is none */
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
