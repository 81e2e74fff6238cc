import { randomUUID } from 'node:crypto';
import { DEFAULT_FLAGS, type Period, type PlanPrice, planPriceOf } from '@clearframe/contract';
import { balanceOf, type Subscription } from '../../../src/billing-accounts/billing-account.js';
import { grantsPlan, hasOpenInvoice, planPriceOfSubscription } from '../../../src/billing-accounts/entitlements.js';
import { prorationOf } from '../../../src/billing-accounts/proration.js';
import { requireMayBuy } from '../../../src/prices/offers.js';
import {
  decideOrder,
  newSubscription,
  type SubscriptionOrder,
} from '../../../src/subscriptions/subscription-orders.js';
import type { AccountModel } from './account-model.js';
import { orNull } from './approvals.js';
import { type HistoryEvent, picked } from './history-events.js';
import type { ProviderModel, ProviderReads } from './provider-model.js';

export const orderOf = (price: PlanPrice, forfeitCredits: number): SubscriptionOrder => ({
  provider: 'stripe',
  providerId: null,
  customerId: 'cus',
  price,
  intro: null,
  paymentMethodId: 'pm',
  trial: false,
  forfeitCredits,
});

export class Orders {
  constructor(
    private readonly accountModel: AccountModel,
    private readonly providerModel: ProviderModel,
    private readonly reads: ProviderReads,
  ) {}

  subscribe({ pick, size }: HistoryEvent): void {
    const price = planPriceOf(pick % 2 ? 'personal' : 'business', pick % 3 ? 'weekly' : 'yearly', 'usd');
    const forfeit = size % 5 === 0 ? 0 : balanceOf(this.accountModel.account, null);
    const isBegun = size % 2 > 0;
    this.order({ ...orderOf(price, forfeit), trial: size % 3 === 0 }, size, isBegun ? size % 7 > 0 : null);
  }

  declinedThenAnotherCard({ pick, size }: HistoryEvent): void {
    const price = planPriceOf(pick % 2 ? 'personal' : 'business', pick % 3 ? 'weekly' : 'yearly', 'usd');
    this.order(orderOf(price, balanceOf(this.accountModel.account, null)), size, false);
    this.anotherCard({ pick, size });
  }

  /** The same plan with a card that was not declined before, or another plan. */
  anotherCard({ pick, size }: Pick<HistoryEvent, 'pick' | 'size'>): void {
    const owing =
      this.accountModel.account.subscriptions.find(hasOpenInvoice) ??
      picked(this.accountModel.account.subscriptions, pick);
    if (!owing) return;
    const plan = size % 7 === 0 ? 'business' : owing.priceId.startsWith('personal') ? 'personal' : 'business';
    const period = owing.priceId.includes('yearly') ? 'yearly' : 'weekly';
    const order = orderOf(planPriceOf(plan, period, 'usd'), balanceOf(this.accountModel.account, null));
    this.order({ ...order, paymentMethodId: randomUUID(), trial: owing.asksTrial }, size, size % 4 > 0);
  }

  /**
   * The provider gets the order now, later, or by the sweep.
   * @param isPaid whether the card is accepted; null while the provider has not received the order
   */
  private order(order: SubscriptionOrder, size: number, isPaid: boolean | null): void {
    const { account, now } = this.accountModel;
    const decision = orNull(() => decideOrder(account, order, now, DEFAULT_FLAGS));
    if (!decision || decision.kind === 'existing') return;
    if (decision.kind === 'create') {
      const subscription = newSubscription(account.userId, order, now);
      this.accountModel.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
      if (isPaid !== null) this.begin(subscription, isPaid);
      return;
    }
    const { subscription } = decision;
    const subscriptionId = subscription.id;
    if (decision.kind === 'void') {
      this.providerModel.voidFirst(subscriptionId, now);
      this.reads.subscription(subscription)();
      this.order(order, size, isPaid);
      return;
    }
    this.accountModel.apply({ kind: 'subscription_reordered', subscriptionId, forfeitCredits: order.forfeitCredits });
    this.providerModel.payOpenInvoice(subscriptionId, isPaid ?? false);
    this.reads.read(subscription, size);
  }

  begin(row: Subscription | undefined, isPaid: boolean): void {
    if (row?.status === 'pending') this.providerModel.begin(row, this.accountModel.now, isPaid);
  }
}

interface Upgrade {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly refundCents: number;
}

export class Upgrades {
  private readonly started: Upgrade[] = [];

  constructor(
    private readonly accountModel: AccountModel,
    private readonly providerModel: ProviderModel,
  ) {}

  start(target: Period | 'upgrade', isPaid: boolean): void {
    const { account, now } = this.accountModel;
    const old = account.subscriptions.find((row) => grantsPlan(row, now) && row.status !== 'canceled');
    const running = old && planPriceOfSubscription(old);
    const isUnderWay = this.started.some(({ from }) => from === old?.id);
    if (!old || !running || isUnderWay) return;
    const price =
      target === 'upgrade' ? planPriceOf('business', 'weekly', 'usd') : planPriceOf(running.plan, target, 'usd');
    const decision = orNull(() => requireMayBuy(account, false, now, { price, flags: DEFAULT_FLAGS }));
    if (decision?.kind !== 'upgrade' && decision?.kind !== 'change_period') return;
    const order = { ...orderOf(price, 0), paymentMethodId: null };
    const subscription = newSubscription(account.userId, order, now, old.id);
    this.accountModel.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
    if (!isPaid) {
      this.accountModel.apply({ kind: 'subscription_abandoned', subscriptionId: subscription.id, at: now });
      return;
    }
    this.providerModel.begin(subscription, now, true);
    const { remainingCents } = prorationOf(old, now);
    this.started.push({ id: randomUUID(), from: old.id, to: subscription.id, refundCents: remainingCents });
  }

  runStep(pick: number, step: 'end' | 'refund'): void {
    const upgrade = picked(this.started, pick);
    const old = this.accountModel.account.subscriptions.find(({ id }) => id === upgrade?.from);
    if (!upgrade || !old?.supersededAt) return;
    if (step === 'end') this.providerModel.replace(upgrade.from, this.accountModel.now);
    const hasEnded = this.providerModel.subscriptions.get(upgrade.from)?.isReplaced ?? false;
    if (step === 'refund' && hasEnded) this.providerModel.refund(upgrade.from, upgrade.refundCents, upgrade.id);
  }

  runAllSteps(): void {
    for (const index of this.started.keys()) {
      this.runStep(index, 'end');
      this.runStep(index, 'refund');
    }
  }
}
