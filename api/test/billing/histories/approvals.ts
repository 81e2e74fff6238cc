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
import type { Book } from './account-model.js';
import type { Bank } from './provider-model.js';

/** A plan approved in the wallet. */
interface Approval {
  readonly order: SubscriptionOrder & { readonly providerId: string };
  isRefused: boolean;
}

/**
 * Approvals in the wallet. Return, event and sweep do the same: they fulfill an approval for its checkout, or end and
 * refund it.
 */
export class Approvals {
  readonly all: Approval[] = [];

  constructor(
    private readonly book: Book,
    private readonly bank: Bank,
    /** Applies the provider's current state of a row. */
    private readonly read: (row: Subscription) => void,
  ) {}

  /** Creates a checkout; if the rules allow it, the payer approves, unnoticed by the product. */
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

  /** A return or an event; any number of them. */
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
      // It was fulfilled before: a repeated return gets the current state.
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

/** Null for a refusal. */
export function accepted<Decision>(decide: () => Decision): Decision | null {
  try {
    return decide();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
