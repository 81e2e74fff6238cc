import { randomUUID } from 'node:crypto';
import { DEFAULT_FLAGS, type PlanPrice } from '@clearframe/contract';
import { balanceOf, type Subscription } from '../../../src/billing-accounts/billing-account.js';
import { AppError } from '../../../src/platform/errors/app-error.js';
import { requireMayBuy } from '../../../src/prices/offers.js';
import {
  decideOrder,
  newSubscription,
  type SubscriptionOrder,
} from '../../../src/subscriptions/subscription-orders.js';
import type { AccountModel } from './account-model.js';
import type { ProviderModel } from './provider-model.js';

interface Approval {
  readonly order: SubscriptionOrder & { readonly providerId: string };
  isRefused: boolean;
}

/** Return, event and sweep do the same: they fulfill an approval for its checkout, or end and refund it. */
export class Approvals {
  readonly all: Approval[] = [];

  constructor(
    private readonly accountModel: AccountModel,
    private readonly providerModel: ProviderModel,
    private readonly read: (row: Subscription) => void,
  ) {}

  /** Creates a checkout; if the rules allow it, the payer approves, unnoticed by the product. */
  approve(price: PlanPrice, trial: boolean): void {
    const { account, now } = this.accountModel;
    const forfeitCredits = balanceOf(account, null);
    const terms = { price, trial, forfeitCredits, provider: 'paypal' as const };
    if (orNull(() => requireMayBuy(account, false, now, { ...terms, flags: DEFAULT_FLAGS }))?.kind !== 'subscribe') {
      return;
    }
    const providerId = `I-${randomUUID()}`;
    const order = { ...terms, providerId, customerId: null, intro: null, paymentMethodId: null };
    this.providerModel.approve(order, now);
    this.all.push({ order, isRefused: false });
  }

  revisit(pick: number): void {
    const approval = this.all[pick % Math.max(1, this.all.length)];
    if (approval) this.processApproval(approval);
  }

  sweep(): void {
    for (const approval of this.all) if (!this.rowOf(approval)) this.processApproval(approval);
  }

  rowOf({ order }: Approval): Subscription | undefined {
    return this.accountModel.account.subscriptions.find(({ providerId }) => providerId === order.providerId);
  }

  private processApproval(approval: Approval): void {
    if (approval.isRefused) return;
    const { order } = approval;
    const { account, now } = this.accountModel;
    const decision = orNull(() => decideOrder(account, order, now, DEFAULT_FLAGS));
    if (!decision) {
      // It was fulfilled before: a repeated return gets the current state.
      if (this.rowOf(approval)) return;
      approval.isRefused = true;
      this.providerModel.endAndRefund(order.providerId, now);
      return;
    }
    if (decision.kind === 'void') {
      this.providerModel.voidFirst(decision.subscription.id, now);
      this.read(decision.subscription);
      this.processApproval(approval);
      return;
    }
    if (decision.kind === 'create') {
      if (this.rowOf(approval)) return;
      const subscription = newSubscription(account.userId, order, now);
      this.accountModel.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
      this.providerModel.adopt(order.providerId, subscription.id);
      this.read(subscription);
    }
  }
}

export function orNull<Decision>(decide: () => Decision): Decision | null {
  try {
    return decide();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
