import { randomUUID } from 'node:crypto';
import { inMilliseconds, type PlanPrice, priceOf } from '@clearframe/contract';
import type { Payment, Subscription } from '../../../src/billing-accounts/billing-account.js';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../../../src/providers/payment-provider.js';
import type { AccountModel } from './account-model.js';
import { picked } from './history-events.js';

const WEEK_MS = inMilliseconds.days(7);
type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

export type PaymentState = Writable<PaymentSnapshot>;
export interface RunningSubscription extends Writable<SubscriptionSnapshot> {
  isReplaced: boolean;
  failsCharges: boolean;
  chargedCents: number;
  refundedCents: number;
}

const planOf = (id: string): PlanPrice => {
  const price = priceOf(id);
  if (price?.kind !== 'plan') throw new Error(`no plan: ${id}`);
  return price;
};

interface Approved {
  readonly providerId: string;
  readonly price: PlanPrice;
  readonly trial: boolean;
}

export class ProviderModel {
  readonly payments = new Map<string, PaymentState>();
  readonly subscriptions = new Map<string, RunningSubscription>();
  private readonly done = new Set<string>();

  announce({ id, amountCents, currency }: Payment): void {
    if (this.payments.has(id)) return;
    this.payments.set(id, {
      id: `pi_${id}`,
      provider: 'stripe',
      customerId: 'cus',
      reference: id,
      status: 'pending',
      amountCents,
      currency,
      refundedCents: 0,
      isDisputed: false,
      payerEmail: null,
    });
  }

  begin(row: Subscription, now: Date, isPaid: boolean): RunningSubscription {
    const known = this.subscriptions.get(row.id);
    if (known) return known;
    const price = planOf(row.priceId);
    const isCharged = !row.asksTrial && isPaid;
    const end = new Date(now.getTime() + WEEK_MS);
    const running: RunningSubscription = {
      id: `sub_${row.id}`,
      provider: 'stripe',
      customerId: 'cus',
      reference: row.id,
      priceId: row.priceId,
      status: row.asksTrial ? 'trialing' : isPaid ? 'active' : 'incomplete',
      createdAt: now,
      currentPeriodStart: now,
      currentPeriodEnd: end,
      trialEnd: row.asksTrial ? end : null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      endedAt: null,
      hasIntro: false,
      paidCents: isCharged ? price.amountCents : 0,
      currency: 'usd',
      isDisputed: false,
      fingerprint: randomUUID(),
      isReplaced: false,
      failsCharges: false,
      chargedCents: isCharged ? price.amountCents : 0,
      refundedCents: 0,
    };
    this.subscriptions.set(row.id, running);
    return running;
  }

  approve({ providerId, price, trial }: Approved, now: Date): void {
    const end = new Date(now.getTime() + WEEK_MS);
    const chargedCents = trial ? 0 : price.amountCents;
    this.subscriptions.set(providerId, {
      id: providerId,
      provider: 'paypal',
      customerId: null,
      reference: providerId,
      priceId: price.id,
      status: trial ? 'trialing' : 'active',
      createdAt: now,
      currentPeriodStart: now,
      currentPeriodEnd: end,
      trialEnd: trial ? end : null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      endedAt: null,
      hasIntro: false,
      paidCents: chargedCents,
      currency: 'usd',
      isDisputed: false,
      fingerprint: null,
      isReplaced: false,
      failsCharges: false,
      chargedCents,
      refundedCents: 0,
    });
  }

  adopt(providerId: string, rowId: string): void {
    const running = this.subscriptions.get(providerId);
    if (!running) return;
    this.subscriptions.delete(providerId);
    this.subscriptions.set(rowId, running);
  }

  endAndRefund(providerId: string, now: Date): void {
    this.replace(providerId, now);
    this.refund(providerId, Number.MAX_SAFE_INTEGER, `refund ${providerId}`);
  }

  payOpenInvoice(rowId: string, isPaid: boolean): void {
    const running = this.subscriptions.get(rowId);
    if (!running || !isPaid || !['incomplete', 'past_due'].includes(running.status)) return;
    const price = planOf(running.priceId).amountCents;
    Object.assign(running, {
      status: 'active',
      paidCents: price,
      chargedCents: running.chargedCents + price,
      failsCharges: false,
    });
  }

  voidFirst(rowId: string, now: Date): void {
    const running = this.subscriptions.get(rowId);
    if (running?.status === 'incomplete') end(running, 'incomplete_expired', now);
  }

  advanceTo(now: Date): void {
    for (const running of this.subscriptions.values()) {
      while (running.endedAt === null && running.currentPeriodEnd <= now) this.renew(running);
    }
  }

  private renew(running: RunningSubscription): void {
    const ended = endingOf(running);
    if (ended) end(running, ended, running.currentPeriodEnd);
    else renew(running);
  }

  replace(rowId: string, now: Date): void {
    const running = this.subscriptions.get(rowId);
    if (!running) return;
    running.isReplaced = true;
    if (running.endedAt === null) end(running, 'canceled', now);
  }

  /** Refunds the current period's payment, once for each key, at most the rest. */
  refund(rowId: string, cents: number, key: string): void {
    const running = this.subscriptions.get(rowId);
    if (!running || this.done.has(key)) return;
    this.done.add(key);
    const given = Math.min(cents, running.paidCents);
    running.paidCents -= given;
    running.refundedCents += given;
  }
}

function endingOf({
  status,
  cancelAtPeriodEnd,
  failsCharges,
}: RunningSubscription): RunningSubscription['status'] | null {
  if (status === 'incomplete') return 'incomplete_expired';
  if (cancelAtPeriodEnd) return 'canceled';
  if (failsCharges) return status === 'past_due' ? 'canceled' : 'past_due';
  return null;
}

function renew(running: RunningSubscription): void {
  const { currentPeriodEnd: at, priceId, chargedCents } = running;
  const price = planOf(priceId).amountCents;
  Object.assign(running, {
    status: 'active',
    currentPeriodStart: at,
    currentPeriodEnd: new Date(at.getTime() + WEEK_MS),
    paidCents: price,
    chargedCents: chargedCents + price,
  });
}

function end(running: RunningSubscription, status: RunningSubscription['status'], at: Date): void {
  running.status = status;
  if (status === 'past_due') {
    Object.assign(running, {
      currentPeriodStart: at,
      currentPeriodEnd: new Date(at.getTime() + WEEK_MS),
      paidCents: 0,
    });
    return;
  }
  running.endedAt = at;
  running.canceledAt ??= at;
}

export class ProviderReads {
  private readonly late: (() => void)[] = [];

  constructor(
    private readonly accountModel: AccountModel,
    private readonly providerModel: ProviderModel,
  ) {}

  read(row: Payment | Subscription | undefined, size: number): void {
    if (!row) return;
    const deliver = 'exports' in row ? this.payment(row) : this.subscription(row);
    if (size % 3 === 0) this.late.push(deliver);
    else deliver();
  }

  /** Reads now; the response is applied when the result is called. */
  payment(payment: Payment): () => void {
    const readNo = this.accountModel.nextReadNo();
    const state = { ...this.providerModel.payments.get(payment.id) };
    return () => this.accountModel.pay(payment, state, readNo);
  }

  subscription(subscription: Subscription): () => void {
    const readNo = this.accountModel.nextReadNo();
    const running = this.providerModel.subscriptions.get(subscription.id);
    const snapshot = { ...running };
    return () => running && this.accountModel.run(subscription, snapshot, readNo);
  }

  deliverLate(pick: number): void {
    const deliver = picked(this.late, pick);
    if (!deliver) return;
    this.late.splice(this.late.indexOf(deliver), 1);
    deliver();
  }

  deliverAllLate(): void {
    for (const deliver of this.late.splice(0)) deliver();
  }
}
