import { randomUUID } from 'node:crypto';
import { inMilliseconds, PACKS, PERIODS, planPriceOf } from '@clearframe/contract';
import type { Payment, Subscription } from '../../../src/billing-accounts/billing-account.js';
import { billingStateOf, entitlementsOf, grantsPlan } from '../../../src/billing-accounts/entitlements.js';
import { AccountModel, after } from './account-model.js';
import { Approvals } from './approvals.js';
import { type EventKind, type HistoryEvent, picked } from './history-events.js';
import { Orders, Upgrades } from './orders.js';
import { type PaymentState, ProviderModel, ProviderReads, type RunningSubscription } from './provider-model.js';

/**
 * An account and its provider. The product reads the provider's changes at other times: possibly only at the end (a
 * crash, a lost event), or out of order (a late response).
 */
export class History {
  readonly accountModel = new AccountModel();
  readonly providerModel = new ProviderModel();
  private readonly reads = new ProviderReads(this.accountModel, this.providerModel);
  private readonly orders = new Orders(this.accountModel, this.providerModel, this.reads);
  private readonly upgrades = new Upgrades(this.accountModel, this.providerModel);
  /** Remaining gift time. It passes only while no business subscription is known to run. */
  giftMs = 0;
  readonly approvals = new Approvals(this.accountModel, this.providerModel, (row) => this.reads.subscription(row)());

  apply(event: HistoryEvent): void {
    this.handlers[event.kind](event);
  }

  private readonly handlers: Record<EventKind, (event: HistoryEvent) => void> = {
    buy: ({ pick }) => this.providerModel.announce(this.accountModel.payment(PACKS[pick % PACKS.length])),
    pay: ({ pick }) =>
      this.changePayment(pick, (state) => {
        if (state.status === 'pending') state.status = 'succeeded';
      }),
    'read payment': ({ pick, size }) => this.reads.read(this.payment(pick), size),
    purchase: ({ pick }) => {
      const payment = this.accountModel.payment(PACKS[pick % PACKS.length]);
      this.providerModel.announce(payment);
      this.changePaymentOf(payment, (state) => {
        state.status = 'succeeded';
      });
      this.reads.payment(payment)();
    },
    refund: ({ pick, size }) =>
      this.changePayment(pick, (state) => {
        const cents = Math.floor((state.amountCents * size) / 100);
        if (state.status === 'succeeded') state.refundedCents = Math.max(state.refundedCents, cents);
      }),
    dispute: ({ pick }) =>
      this.changePayment(pick, (state) => {
        state.isDisputed = state.status === 'succeeded';
      }),
    win: ({ pick }) =>
      this.changePayment(pick, (state) => {
        state.isDisputed = false;
      }),
    subscribe: (event) => this.orders.subscribe(event),
    begin: ({ pick, size }) => this.orders.begin(this.subscription(pick), size % 4 > 0),
    'declined, then another card': (event) => this.orders.declinedThenAnotherCard(event),
    'another card': (event) => this.orders.anotherCard(event),
    'approve in the wallet': ({ pick, size }) =>
      this.approvals.approve(planPriceOf(pick % 2 ? 'personal' : 'business', 'weekly', 'usd'), size % 3 === 0),
    'return from the wallet': ({ pick }) => this.approvals.revisit(pick),
    'read subscription': ({ pick, size }) => this.reads.read(this.subscription(pick), size),
    'go broke': ({ pick }) =>
      this.changeSubscription(pick, (running) => {
        running.failsCharges = true;
      }),
    cancel: ({ pick }) =>
      this.changeSubscription(pick, (running) => {
        running.cancelAtPeriodEnd = running.status !== 'incomplete';
      }),
    'dispute subscription': ({ pick }) =>
      this.changeSubscription(pick, (running) => {
        running.isDisputed = running.chargedCents > 0;
      }),
    'refund subscription': ({ pick, size }) => {
      const row = this.subscription(pick);
      const paid = row && this.providerModel.subscriptions.get(row.id)?.paidCents;
      if (row && paid) this.providerModel.refund(row.id, Math.floor((paid * size) / 100), randomUUID());
    },
    upgrade: ({ size }) => this.upgrades.start('upgrade', size % 4 > 0),
    'change period': ({ pick, size }) => this.upgrades.start(PERIODS[pick % PERIODS.length] ?? 'weekly', size % 4 > 0),
    'end replaced': ({ pick }) => this.upgrades.runStep(pick, 'end'),
    'refund replaced': ({ pick }) => this.upgrades.runStep(pick, 'refund'),
    download: ({ size }) => {
      for (let times = 0; times < size / 8; times += 1) this.accountModel.export();
    },
    finish: ({ pick }) =>
      this.withExport(pick, (taskId) => this.accountModel.apply({ kind: 'export_committed', taskId })),
    fail: ({ pick }) =>
      this.withExport(pick, (taskId) =>
        this.accountModel.apply({ kind: 'export_released', taskId, at: this.accountModel.now }),
      ),
    gift: ({ size }) => {
      this.giftMs += inMilliseconds.days(size);
      this.accountModel.gift(size);
    },
    time: ({ size }) => this.pass(after(this.accountModel.now, size / 10)),
    'to the end': ({ pick }) => {
      const end = this.subscription(pick)?.currentPeriodEnd;
      if (end && end > this.accountModel.now) this.pass(end);
    },
    'arrive late': ({ pick }) => this.reads.deliverLate(pick),
  };

  /** The sweep runs more often than periods are charged. */
  private pass(to: Date): void {
    this.approvals.sweep();
    const { account, now } = this.accountModel;
    const businessEnds = account.subscriptions
      .filter((row) => row.priceId.startsWith('business') && grantsPlan(row, now))
      .map(({ currentPeriodEnd }) => currentPeriodEnd?.getTime() ?? 0);
    this.giftMs -= Math.min(this.giftMs, Math.max(0, to.getTime() - Math.max(now.getTime(), ...businessEnds)));
    this.accountModel.now = to;
    this.providerModel.advanceTo(this.accountModel.now);
  }

  private payment(pick: number): Payment | undefined {
    return picked(this.accountModel.account.payments, pick);
  }

  private subscription(pick: number): Subscription | undefined {
    return picked(this.accountModel.account.subscriptions, pick);
  }

  private changePayment(pick: number, change: (state: PaymentState) => void): void {
    this.changePaymentOf(this.payment(pick), change);
  }

  private changePaymentOf(payment: Payment | undefined, change: (state: PaymentState) => void): void {
    const state = this.providerModel.payments.get(payment?.id ?? '');
    if (state) change(state);
  }

  private changeSubscription(pick: number, change: (running: RunningSubscription) => void): void {
    const running = this.providerModel.subscriptions.get(this.subscription(pick)?.id ?? '');
    if (running && running.endedAt === null) change(running);
  }

  private withExport(pick: number, change: (taskId: string) => unknown): void {
    const use = picked(this.accountModel.account.exports, pick);
    if (use) change(use.taskId);
  }

  settle(): void {
    this.approvals.sweep();
    for (const row of this.accountModel.account.subscriptions) {
      if (row.status === 'pending' && !this.providerModel.subscriptions.has(row.id)) {
        this.accountModel.apply({ kind: 'subscription_abandoned', subscriptionId: row.id, at: this.accountModel.now });
      }
    }
    for (let pass = 0; pass < 2; pass += 1) {
      for (const row of this.accountModel.account.payments) this.reads.payment(row)();
      for (const row of this.accountModel.account.subscriptions) this.reads.subscription(row)();
      this.upgrades.runAllSteps();
    }
    this.reads.deliverAllLate();
  }

  get entitlements() {
    return entitlementsOf(billingStateOf(this.accountModel.account), this.accountModel.now);
  }
}
