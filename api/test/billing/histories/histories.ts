import { randomUUID } from 'node:crypto';
import { inMilliseconds, PACKS, PERIODS, planPriceOf } from '@clearframe/contract';
import type { Payment, Subscription } from '../../../src/billing/account/state/billing-account.js';
import { billingStateOf, entitlementsOf, grantsPlan } from '../../../src/billing/account/state/entitlements.js';
import { after, Book } from './account-model.js';
import { Approvals } from './approvals.js';
import { type EventKind, type HistoryEvent, picked } from './history-events.js';
import { Orders } from './orders.js';
import { Bank, type Held, type Running } from './provider-model.js';
import { BankReads } from './provider-reads.js';
import { Upgrades } from './upgrades.js';

/**
 * An account and its provider. The product reads the provider's changes at other times: possibly only at the end (a
 * crash, a lost event), or out of order (a late response).
 */
export class History {
  readonly book = new Book();
  readonly bank = new Bank();
  private readonly reads = new BankReads(this.book, this.bank);
  private readonly orders = new Orders(this.book, this.bank, this.reads);
  private readonly upgrades = new Upgrades(this.book, this.bank);
  /** Remaining gift time. It passes only while no business subscription is known to run. */
  giftMs = 0;
  readonly approvals = new Approvals(this.book, this.bank, (row) => this.reads.subscription(row)());

  apply(event: HistoryEvent): void {
    this.handlers[event.kind](event);
  }

  private readonly handlers: Record<EventKind, (event: HistoryEvent) => void> = {
    buy: ({ pick }) => this.bank.announce(this.book.payment(PACKS[pick % PACKS.length])),
    pay: ({ pick }) =>
      this.ofBank(pick, (held) => {
        if (held.status === 'pending') held.status = 'succeeded';
      }),
    'read payment': ({ pick, size }) => this.reads.read(this.payment(pick), size),
    purchase: ({ pick }) => {
      const payment = this.book.payment(PACKS[pick % PACKS.length]);
      this.bank.announce(payment);
      this.ofBankRow(payment, (held) => {
        held.status = 'succeeded';
      });
      this.reads.payment(payment)();
    },
    refund: ({ pick, size }) =>
      this.ofBank(pick, (held) => {
        const cents = Math.floor((held.amountCents * size) / 100);
        if (held.status === 'succeeded') held.refundedCents = Math.max(held.refundedCents, cents);
      }),
    dispute: ({ pick }) =>
      this.ofBank(pick, (held) => {
        held.isDisputed = held.status === 'succeeded';
      }),
    win: ({ pick }) =>
      this.ofBank(pick, (held) => {
        held.isDisputed = false;
      }),
    subscribe: (event) => this.orders.subscribe(event),
    begin: ({ pick, size }) => this.orders.begin(this.subscription(pick), size % 4 > 0),
    'declined, then another card': (event) => this.orders.declinedThenAnotherCard(event),
    'another card': (event) => this.orders.anotherCard(event),
    'approve in the wallet': ({ pick, size }) =>
      this.approvals.approve(planPriceOf(pick % 2 ? 'personal' : 'business', 'weekly', 'usd'), size % 3 === 0),
    'return from the wallet': ({ pick }) => this.approvals.look(pick),
    'read subscription': ({ pick, size }) => this.reads.read(this.subscription(pick), size),
    'go broke': ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.isBroke = true;
      }),
    cancel: ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.cancelAtPeriodEnd = running.status !== 'incomplete';
      }),
    'dispute subscription': ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.isDisputed = running.taken > 0;
      }),
    'refund subscription': ({ pick, size }) => {
      const row = this.subscription(pick);
      const paid = row && this.bank.subscriptions.get(row.id)?.paidCents;
      if (row && paid) this.bank.refund(row.id, Math.floor((paid * size) / 100), randomUUID());
    },
    upgrade: ({ size }) => this.upgrades.start('upgrade', size % 4 > 0),
    'change period': ({ pick, size }) => this.upgrades.start(PERIODS[pick % PERIODS.length] ?? 'weekly', size % 4 > 0),
    'end replaced': ({ pick }) => this.upgrades.carryOn(pick, 'end'),
    'refund replaced': ({ pick }) => this.upgrades.carryOn(pick, 'refund'),
    download: ({ size }) => {
      for (let times = 0; times < size / 8; times += 1) this.book.export();
    },
    finish: ({ pick }) => this.ofExport(pick, (taskId) => this.book.apply({ kind: 'export_committed', taskId })),
    fail: ({ pick }) =>
      this.ofExport(pick, (taskId) => this.book.apply({ kind: 'export_released', taskId, at: this.book.now })),
    gift: ({ size }) => {
      this.giftMs += inMilliseconds.days(size);
      this.book.gift(size);
    },
    time: ({ size }) => this.pass(after(this.book.now, size / 10)),
    'to the end': ({ pick }) => {
      const end = this.subscription(pick)?.currentPeriodEnd;
      if (end && end > this.book.now) this.pass(end);
    },
    'arrive late': ({ pick }) => this.reads.deliverLate(pick),
  };

  /** The sweep runs more often than periods are charged. */
  private pass(to: Date): void {
    this.approvals.sweep();
    const { account, now } = this.book;
    const businessEnds = account.subscriptions
      .filter((row) => row.priceId.startsWith('business') && grantsPlan(row, now))
      .map(({ currentPeriodEnd }) => currentPeriodEnd?.getTime() ?? 0);
    this.giftMs -= Math.min(this.giftMs, Math.max(0, to.getTime() - Math.max(now.getTime(), ...businessEnds)));
    this.book.now = to;
    this.bank.passTo(this.book.now);
  }

  private payment(pick: number): Payment | undefined {
    return picked(this.book.account.payments, pick);
  }

  private subscription(pick: number): Subscription | undefined {
    return picked(this.book.account.subscriptions, pick);
  }

  private ofBank(pick: number, change: (held: Held) => void): void {
    this.ofBankRow(this.payment(pick), change);
  }

  private ofBankRow(payment: Payment | undefined, change: (held: Held) => void): void {
    const held = this.bank.payments.get(payment?.id ?? '');
    if (held) change(held);
  }

  private ofRunning(pick: number, change: (running: Running) => void): void {
    const running = this.bank.subscriptions.get(this.subscription(pick)?.id ?? '');
    if (running && running.endedAt === null) change(running);
  }

  private ofExport(pick: number, change: (taskId: string) => unknown): void {
    const use = picked(this.book.account.exports, pick);
    if (use) change(use.taskId);
  }

  /** Completes sweeps and everything in progress. */
  settle(): void {
    this.approvals.sweep();
    for (const row of this.book.account.subscriptions) {
      if (row.status === 'pending' && !this.bank.subscriptions.has(row.id)) {
        this.book.apply({ kind: 'subscription_abandoned', subscriptionId: row.id, at: this.book.now });
      }
    }
    for (let pass = 0; pass < 2; pass += 1) {
      for (const row of this.book.account.payments) this.reads.payment(row)();
      for (const row of this.book.account.subscriptions) this.reads.subscription(row)();
      this.upgrades.carryOnAll();
    }
    this.reads.deliverAllLate();
  }

  get entitlements() {
    return entitlementsOf(billingStateOf(this.book.account), this.book.now);
  }
}
