import { randomUUID } from 'node:crypto';
import { DEFAULT_FLAGS, type PlanPrice } from '@clearframe/contract';
import { balanceOf, type Subscription } from '../../../src/billing/account/state/billing-account.js';
import { requireMayBuy } from '../../../src/billing/catalogue/purchase-rules.js';
import {
  decideOrder,
  newSubscription,
  type SubscriptionOrder,
} from '../../../src/billing/subscriptions/subscription-order.js';
import { AppError } from '../../../src/platform/errors/app-error.js';
import type { Bank } from './bank.js';
import type { Book } from './model.js';

/** A plan that was approved in the wallet on agreed terms. */
interface Approval {
  readonly order: SubscriptionOrder & { readonly providerId: string };
  isRefused: boolean;
}

/**
 * Approvals in the wallet. The return, the event and the sweep all do the same: an approval is taken on for its checkout,
 * or ended and refunded.
 */
export class Approvals {
  readonly all: Approval[] = [];

  constructor(
    private readonly book: Book,
    private readonly bank: Bank,
    /** Takes in what the bank knows of a row now. */
    private readonly read: (row: Subscription) => void,
  ) {}

  /** Asks for a checkout; if the rules allow it, the payer approves, and nothing here hears of it yet. */
  approve(price: PlanPrice, trial: boolean): void {
    const { account, now } = this.book;
    const forfeitCredits = balanceOf(account, null);
    const terms = { price, trial, forfeitCredits, provider: 'paypal' as const };
    if (accepted(() => requireMayBuy(account, false, now, { ...terms, flags: DEFAULT_FLAGS }))?.kind !== 'subscribe') {
      return;
    }
    const providerId = `I-${randomUUID()}`;
    const order = { ...terms, providerId, customerId: null, intro: null, paymentMethodId: null };
    this.bank.approve(order, now);
    this.all.push({ order, isRefused: false });
  }

  /** The return, or an event; any number of them. */
  look(pick: number): void {
    const approval = this.all[pick % Math.max(1, this.all.length)];
    if (approval) this.consider(approval);
  }

  sweep(): void {
    for (const approval of this.all) if (!this.rowOf(approval)) this.consider(approval);
  }

  rowOf({ order }: Approval): Subscription | undefined {
    return this.book.account.subscriptions.find(({ providerId }) => providerId === order.providerId);
  }

  private consider(approval: Approval): void {
    if (approval.isRefused) return;
    const { order } = approval;
    const { account, now } = this.book;
    const decision = accepted(() => decideOrder(account, order, now, DEFAULT_FLAGS));
    if (!decision) {
      // Taken on before, it is the payer's: a return that comes again is answered with how it stands.
      if (this.rowOf(approval)) return;
      approval.isRefused = true;
      this.bank.giveBack(order.providerId, now);
      return;
    }
    if (decision.kind === 'void') {
      this.bank.voidFirst(decision.subscription.id, now);
      this.read(decision.subscription);
      this.consider(approval);
      return;
    }
    if (decision.kind === 'create') {
      if (this.rowOf(approval)) return;
      const subscription = newSubscription(account.userId, order, now);
      this.book.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
      this.bank.adopt(order.providerId, subscription.id);
      this.read(subscription);
    }
  }
}

/** What was decided, or null for a refusal. */
export function accepted<Decision>(decide: () => Decision): Decision | null {
  try {
    return decide();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
