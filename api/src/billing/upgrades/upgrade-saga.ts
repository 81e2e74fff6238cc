import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SubscriptionRow } from '../account/account.entities.js';
import { BillingAccounts } from '../account/billing-accounts.js';
import type { Subscription } from '../account/state/billing-account.js';
import { hasStarted } from '../account/state/entitlements.js';
import { BillingMailer } from '../mail/billing-mailer.js';
import { CardProvider, type PaymentProvider, WalletProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { UpgradeRow, type UpgradeStep } from './upgrade.entity.js';

/** Longer than any call to a provider takes: what it has not made by then it will not make. */
const GIVEN_UP_AFTER_MS = inMilliseconds.minutes(10);

/**
 * Carries an upgrade from step to step: the new subscription runs, the old one ends, its unused part is given back. Two
 * at once on the same upgrade do the same things with the same keys.
 */
@Injectable()
export class UpgradeSaga {
  private readonly logger = new Logger(UpgradeSaga.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly mailer: BillingMailer,
  ) {}

  /** Goes as far as it gets. What fails on the way is tried again from there. */
  async advance(upgradeId: string): Promise<void> {
    let upgrade = await this.find(upgradeId);
    while (upgrade && upgrade.step !== 'done' && upgrade.step !== 'failed') {
      const next = await this.take(upgrade);
      if (!next) return;
      await this.move(upgrade, next);
      upgrade = await this.find(upgradeId);
    }
  }

  /** The first step failed: nothing has changed. */
  async fail(upgradeId: string): Promise<void> {
    const upgrade = await this.find(upgradeId);
    if (upgrade?.step === 'creating') await this.move(upgrade, 'failed');
  }

  private find(id: string): Promise<UpgradeRow | null> {
    return this.database.manager.findOneBy(UpgradeRow, { id });
  }

  private async move({ id, step }: UpgradeRow, next: UpgradeStep): Promise<void> {
    await this.database.manager.update(UpgradeRow, { id, step }, { step: next });
    this.logger.log({ upgradeId: id, from: step, to: next }, 'an upgrade has moved on');
  }

  /** Does the step that an upgrade is at. Returns the next one, or null when there is nothing to do yet. */
  private async take(upgrade: UpgradeRow): Promise<UpgradeStep | null> {
    if (upgrade.step === 'creating') return this.created(upgrade);
    const old = await this.row(upgrade.oldSubscriptionId);
    if (!old?.providerId) return 'failed';
    const provider: PaymentProvider = old.provider === 'paypal' ? this.wallet : this.cards;
    if (upgrade.step === 'ending') {
      await this.end(upgrade, old.id, provider, old.providerId);
      return 'refunding';
    }
    await this.refund(upgrade, provider, { ...old, providerId: old.providerId });
    await this.sync.subscription(old.id);
    return 'done';
  }

  private row(id: string): Promise<SubscriptionRow | null> {
    return this.database.manager.findOneBy(SubscriptionRow, { id });
  }

  private async created({ newSubscriptionId, createdAt }: UpgradeRow): Promise<UpgradeStep | null> {
    await this.sync.subscription(newSubscriptionId);
    const row = await this.row(newSubscriptionId);
    if (row && hasStarted(row)) return 'ending';
    if (Date.now() - createdAt.getTime() < GIVEN_UP_AFTER_MS) return null;
    await this.accounts.changeOwningAccount('subscriptions', newSubscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId: newSubscriptionId, at }],
      result: null,
    }));
    return 'failed';
  }

  private async end(upgrade: UpgradeRow, rowId: string, provider: PaymentProvider, providerId: string): Promise<void> {
    const readNo = await this.sync.nextReadNo();
    const snapshot = await mapProviderErrors(provider.endSubscription(providerId, `upgrade:${upgrade.id}:end`));
    await this.sync.applySubscription(rowId, snapshot, readNo);
  }

  private async refund(
    { id, userId, newSubscriptionId, refundCents }: UpgradeRow,
    provider: PaymentProvider,
    from: Subscription & { readonly providerId: string },
  ): Promise<void> {
    const key = `upgrade:${id}:refund`;
    const refundedCents =
      refundCents > 0 ? await mapProviderErrors(provider.refundSubscription(from.providerId, refundCents, key)) : 0;
    const to = await this.row(newSubscriptionId);
    await this.database.transaction(async (manager) => {
      await manager.update(UpgradeRow, id, { refundedCents });
      if (to) await this.mailer.planChanged(manager, { id, userId, from, to, refundedCents });
    });
  }
}
