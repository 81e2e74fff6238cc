import { randomUUID } from 'node:crypto';
import { DEFAULT_FLAGS, type Period, planPriceOf } from '@clearframe/contract';
import { grantsPlan, planPriceOfSubscription } from '../../../src/billing/account/state/entitlements.js';
import { prorationOf } from '../../../src/billing/account/state/proration.js';
import { requireMayBuy } from '../../../src/billing/catalogue/purchase-rules.js';
import { newSubscription } from '../../../src/billing/subscriptions/subscription-order.js';
import type { AccountModel } from './account-model.js';
import { orNull } from './approvals.js';
import { picked } from './history-events.js';
import { orderOf } from './orders.js';
import type { ProviderModel } from './provider-model.js';

interface Upgrade {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly refundCents: number;
}

/** Changes of a running subscription to another plan or period. */
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

  /** Runs once the new subscription is known to run. Idempotent. */
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
