import { randomUUID } from 'node:crypto';
import { inMilliseconds, type SubscriptionStarted } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { SubscriptionRow } from '../billing-accounts/account.entities.js';
import type { BillingAccount, Subscription } from '../billing-accounts/billing-account.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { prorationOf } from '../billing-accounts/proration.js';
import { ownerOf, type PurchaseOwner } from '../payments/purchases.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { requireLogin } from '../prices/offers.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import type { SubscriptionSnapshot } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { isReplaceable, PlanChanges } from './plan-changes.js';
import { newSubscription, type SubscriptionOrder } from './subscription-orders.js';
import { UpgradeRepository, type UpgradeRow } from './upgrade.repository.js';
import { UpgradeSaga } from './upgrade-saga.js';
import { WalletSubscriptionsService } from './wallet-subscriptions.service.js';

/** An upgrade within this time refunds exactly the previewed amount. */
const PREVIEW_VALID_MS = inMilliseconds.minutes(15);

/** Orders a subscription in place of the running one, which the saga then creates and refunds. */
@Injectable()
export class UpgradesService {
  constructor(
    private readonly upgrades: UpgradeRepository,
    private readonly billing: BillingAccounts,
    private readonly changes: PlanChanges,
    private readonly walletSubscriptions: WalletSubscriptionsService,
    private readonly saga: UpgradeSaga,
    private readonly refused: RefusedApprovals,
    private readonly sessions: SessionService,
  ) {}

  async byCard(
    caller: Caller,
    { newPriceId, introPriceId }: { readonly newPriceId: string; readonly introPriceId?: string | null },
  ): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const price = this.changes.priceOf(newPriceId, introPriceId);
    const order = {
      provider: 'stripe',
      providerId: null,
      customerId: null,
      price,
      intro: null,
      paymentMethodId: null,
      trial: false,
      forfeitCredits: 0,
    } as const;
    const repeated = { provider: order.provider, priceId: price.id };
    return this.start(ownerOf(caller, this.sessions), order, repeated);
  }

  async byWallet(caller: Caller, newSubscriptionId: string): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const snapshot = await this.walletSubscriptions.readOwn(caller, newSubscriptionId);
    return this.fulfill(ownerOf(caller, this.sessions), snapshot);
  }

  async fulfill(owner: PurchaseOwner, snapshot: SubscriptionSnapshot): Promise<SubscriptionStarted> {
    const order = this.walletSubscriptions.orderOf(snapshot, 0);
    if (order.trial) throw new AppError('prices.not_for_sale');
    return this.start(owner, order, { provider: order.provider, providerId: snapshot.id });
  }

  /** @param repeated finds the subscription of an earlier request for the same upgrade */
  private async start(
    owner: PurchaseOwner,
    order: SubscriptionOrder,
    repeated: FindOptionsWhere<SubscriptionRow>,
  ): Promise<SubscriptionStarted> {
    const find = () => this.upgrades.findOpen({ ...repeated, userId: owner.userId });
    const upgrade =
      (await find()) ??
      (await this.begin(owner, order).catch(async (error: unknown) => {
        // A concurrent request may have begun it.
        const meanwhile = await find();
        if (meanwhile) return meanwhile;
        throw error;
      }));
    return this.saga.start(upgrade);
  }

  private async begin(owner: PurchaseOwner, order: SubscriptionOrder): Promise<UpgradeRow> {
    const { id: oldId } = await this.changes.require(owner.userId, order.provider, order.price);
    let open: UpgradeRow | null = null;
    const before = async (manager: EntityManager): Promise<void> => {
      await owner.hold(manager);
      await this.refused.requireNotRefused(manager, order.providerId);
      open = await this.upgrades.findUnfailed(manager, oldId);
    };
    const decide = (account: BillingAccount, now: Date) => {
      if (open) return { events: [], result: open };
      const old = account.subscriptions.find(({ id }) => id === oldId);
      if (!old || !isReplaceable(old, now)) throw new AppError('subscriptions.not_upgradable');
      // The card of the running subscription pays; the wallet has no customers.
      const subscription = newSubscription(owner.userId, { ...order, customerId: old.customerId }, now, old.id);
      const upgrade: UpgradeRow = {
        id: randomUUID(),
        userId: owner.userId,
        oldSubscriptionId: old.id,
        newSubscriptionId: subscription.id,
        step: 'creating',
        refundCents: prorationOf(old, prorationTimeOf(old, now)).remainingCents,
        refundedCents: null,
        createdAt: new Date(),
      };
      return { events: [{ kind: 'subscription_ordered' as const, subscription, fingerprint: null }], result: upgrade };
    };
    const { result } = await this.billing.change<UpgradeRow>(owner.userId, decide, {
      before,
      after: async (manager, changed) => {
        if (changed.result !== open) await this.upgrades.insert(manager, changed.result);
      },
    });
    return result;
  }
}

/** The preview's while it is valid, else now. */
function prorationTimeOf({ previewedAt }: Subscription, now: Date): Date {
  const age = previewedAt ? now.getTime() - previewedAt.getTime() : Number.POSITIVE_INFINITY;
  return previewedAt && age >= 0 && age <= PREVIEW_VALID_MS ? previewedAt : now;
}
