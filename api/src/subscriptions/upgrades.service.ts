import { randomUUID } from 'node:crypto';
import {
  inMilliseconds,
  type PlanPrice,
  type SubscriptionProvider,
  type SubscriptionStarted,
  type UpgradePreview,
} from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull, Not } from 'typeorm';
import type { SubscriptionRow } from '../billing-accounts/account.entities.js';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount, Subscription } from '../billing-accounts/billing-account.js';
import { type AccountChange, BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { grantsPlan, isOpen, planPriceOfSubscription } from '../billing-accounts/entitlements.js';
import { prorationOf } from '../billing-accounts/proration.js';
import { ownerOf, type PurchaseOwner } from '../payments/purchases.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { isPlanChange, Offers, requireLogin, requireMayBuy } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import type { ProviderName, SubscriptionSnapshot } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { newSubscription, presentStarted, type SubscriptionOrder, SubscriptionOrders } from './subscription-orders.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { UpgradeRepository, type UpgradeRow } from './upgrade.repository.js';
import { UpgradeSaga } from './upgrade-saga.js';
import { WalletSubscriptionsService } from './wallet-subscriptions.service.js';

/** An upgrade within this time refunds exactly the previewed amount. */
const PREVIEW_VALID_MS = inMilliseconds.minutes(15);

@Injectable()
export class UpgradesService {
  private readonly logger = new Logger(UpgradesService.name);

  constructor(
    private readonly upgrades: UpgradeRepository,
    private readonly accounts: AccountRepository,
    private readonly billing: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly orders: SubscriptionOrders,
    private readonly walletSubscriptions: WalletSubscriptionsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly saga: UpgradeSaga,
    private readonly refused: RefusedApprovals,
    private readonly sessions: SessionService,
  ) {}

  async preview(caller: Caller, provider: SubscriptionProvider, newPriceId?: string): Promise<UpgradePreview> {
    const current = await this.current(caller, provider);
    const { result: old } = current;
    if (newPriceId) await this.requireChange(current, this.offers.plan(newPriceId));
    else if (planPriceOfSubscription(old)?.plan !== 'personal') throw new AppError('subscriptions.not_upgradable');
    const { now } = await this.billing.change(caller.userId, (_account, at) => ({
      events: [{ kind: 'upgrade_previewed', subscriptionId: old.id, at }],
      result: null,
    }));
    const { remainingCents, daysLeft, isTrialing } = prorationOf(old, now);
    const prorationDate = Math.floor(now.getTime() / inMilliseconds.seconds(1));
    return { remainingAmountCents: remainingCents, currency: old.currency, daysLeft, isTrialing, prorationDate };
  }

  async byCard(
    caller: Caller,
    { newPriceId, introPriceId }: { readonly newPriceId: string; readonly introPriceId?: string | null },
  ): Promise<SubscriptionStarted> {
    requireLogin(caller);
    // The intro price is for new subscribers.
    if (this.offers.intro(introPriceId, this.offers.plan(newPriceId))) throw new AppError('billing.intro_unavailable');
    const repeated = { provider: 'stripe', priceId: this.offers.plan(newPriceId).id } as const;
    const owner = ownerOf(caller, this.sessions);
    return this.create(await this.findOrBegin(owner, repeated, () => this.beginByCard(owner, newPriceId)));
  }

  private async beginByCard(owner: PurchaseOwner, newPriceId: string): Promise<UpgradeRow> {
    const current = await this.current(owner, 'stripe');
    const { result: old } = current;
    const price = this.offers.plan(newPriceId);
    await this.requireChange(current, price);
    return this.begin(owner, old.id, {
      provider: 'stripe',
      providerId: null,
      customerId: old.customerId,
      price,
      intro: null,
      paymentMethodId: null,
      trial: false,
      forfeitCredits: 0,
    });
  }

  async byWallet(caller: Caller, newSubscriptionId: string): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const snapshot = await this.walletSubscriptions.readOwn(caller, newSubscriptionId);
    return this.fulfill(ownerOf(caller, this.sessions), snapshot);
  }

  async fulfill(owner: PurchaseOwner, snapshot: SubscriptionSnapshot): Promise<SubscriptionStarted> {
    const order = this.walletSubscriptions.orderOf(snapshot, 0);
    if (order.trial) throw new AppError('prices.not_for_sale');
    const repeated = { provider: 'paypal', providerId: snapshot.id } as const;
    return this.create(
      await this.findOrBegin(owner, repeated, async () => {
        const current = await this.current(owner, 'paypal');
        await this.requireChange(current, order.price);
        return this.begin(owner, current.result.id, order);
      }),
    );
  }

  private async findOrBegin(
    { userId }: PurchaseOwner,
    repeated: FindOptionsWhere<SubscriptionRow>,
    begin: () => Promise<UpgradeRow>,
  ): Promise<UpgradeRow> {
    const find = async (): Promise<UpgradeRow | null> => {
      const rows = await this.accounts.findSubscriptions({
        ...repeated,
        userId,
        replacesId: Not(IsNull()),
      });
      const row = rows.find(isOpen);
      return row ? this.upgrades.findByNewSubscription(row.id) : null;
    };
    return (
      (await find()) ??
      begin().catch(async (error: unknown) => {
        // A concurrent request may have begun it.
        const meanwhile = await find();
        if (meanwhile) return meanwhile;
        throw error;
      })
    );
  }

  /**
   * The running subscription, synced first to include recent refunds.
   * @throws AppError `subscriptions.not_found`, `subscriptions.managed_elsewhere`, `subscriptions.not_upgradable`
   */
  private async current(
    { userId }: Pick<PurchaseOwner, 'userId'>,
    provider: SubscriptionProvider,
  ): Promise<AccountChange<Subscription>> {
    const { id } = await this.subscriptions.find(userId, provider);
    const synced = await this.sync.subscription(id);
    if (!synced) throw new AppError('subscriptions.not_found');
    if (!isReplaceable(synced.result, synced.now)) throw new AppError('subscriptions.not_upgradable');
    return synced;
  }

  /** @throws AppError of `mayBuy`; `subscriptions.not_upgradable` for the current price */
  private async requireChange(
    { account, now, result: old }: AccountChange<Subscription>,
    price: PlanPrice,
  ): Promise<void> {
    if (old.priceId === price.id) throw new AppError('subscriptions.not_upgradable');
    const flags = await this.offers.flagsFor(account.userId, null);
    const { kind } = requireMayBuy(account, false, now, { price, flags, provider: providerOf(old) });
    if (!isPlanChange(kind)) throw new AppError('subscriptions.not_upgradable');
  }

  private async begin(owner: PurchaseOwner, oldId: string, order: SubscriptionOrder): Promise<UpgradeRow> {
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
      const subscription = newSubscription(owner.userId, order, now, old.id);
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

  private async create(upgrade: UpgradeRow): Promise<SubscriptionStarted> {
    const row = await this.accounts.findSubscription({ id: upgrade.newSubscriptionId });
    if (!row) throw new AppError('subscriptions.not_upgradable');
    const creating = row.providerId ? this.sync.subscription(row.id) : this.orders.create(row);
    const response = presentStarted(
      await creating.catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'payments.declined') await this.saga.fail(upgrade.id);
        throw error;
      }),
    );
    await this.advance(upgrade);
    return response;
  }

  private async advance({ id }: UpgradeRow): Promise<void> {
    await this.saga.advance(id).catch((error: Error) => {
      this.logger.warn({ upgradeId: id, err: error }, 'upgrade left to reconciliation');
    });
  }
}

const isReplaceable = (subscription: Subscription, now: Date): boolean =>
  grantsPlan(subscription, now) && subscription.status !== 'canceled' && planPriceOfSubscription(subscription) !== null;

function providerOf({ provider }: Subscription): ProviderName {
  if (provider === 'mobile') throw new AppError('subscriptions.managed_elsewhere');
  return provider;
}

/** The preview's while it is valid, else now. */
function prorationTimeOf({ previewedAt }: Subscription, now: Date): Date {
  const age = previewedAt ? now.getTime() - previewedAt.getTime() : Number.POSITIVE_INFINITY;
  return previewedAt && age >= 0 && age <= PREVIEW_VALID_MS ? previewedAt : now;
}
