import type { SubscriptionStarted } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { Subscription } from '../billing-accounts/billing-account.js';
import { hasStarted } from '../billing-accounts/entitlements.js';
import { BillingMailer } from '../billing-mail/billing-mailer.js';
import { AppError } from '../platform/errors/app-error.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { PaymentDeclined, type PaymentProvider, PaymentProviders } from '../providers/payment-provider.js';
import { CREATION_TIMEOUT_MS, presentStarted, SubscriptionOrders } from './subscription-orders.js';
import { UpgradeRepository, type UpgradeRow, type UpgradeStep } from './upgrade.repository.js';

@Injectable()
export class UpgradeSaga {
  private readonly logger = new Logger(UpgradeSaga.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly upgrades: UpgradeRepository,
    private readonly accounts: AccountRepository,
    private readonly orders: SubscriptionOrders,
    private readonly sync: ProviderSync,
    private readonly providers: PaymentProviders,
    private readonly mailer: BillingMailer,
  ) {}

  /** Creates the new subscription, unless it exists, and continues as far as the providers respond. */
  async start({ id, newSubscriptionId }: UpgradeRow): Promise<SubscriptionStarted> {
    const row = await this.accounts.findSubscription({ id: newSubscriptionId });
    if (!row) throw new AppError('subscriptions.not_upgradable');
    const creating = row.providerId ? this.sync.subscription(row.id) : this.orders.create(row);
    const response = presentStarted(
      await creating.catch(async (error: unknown) => {
        if (error instanceof PaymentDeclined) await this.fail(id);
        throw error;
      }),
    );
    await this.advance(id).catch((error: Error) => {
      this.logger.warn({ upgradeId: id, err: error }, 'upgrade left to reconciliation');
    });
    return response;
  }

  private async fail(upgradeId: string): Promise<void> {
    const upgrade = await this.upgrades.findById(upgradeId);
    if (upgrade?.step === 'creating') await this.move(upgrade, 'failed');
  }

  async advance(upgradeId: string): Promise<void> {
    let upgrade = await this.upgrades.findById(upgradeId);
    while (upgrade && upgrade.step !== 'done' && upgrade.step !== 'failed') {
      const next = await this.runStep(upgrade);
      if (!next) return;
      await this.move(upgrade, next);
      upgrade = await this.upgrades.findById(upgradeId);
    }
  }

  private async move({ id, step }: UpgradeRow, next: UpgradeStep): Promise<void> {
    await this.upgrades.setStep(id, step, next);
    this.logger.log({ upgradeId: id, from: step, to: next }, 'upgrade advanced');
  }

  private async runStep(upgrade: UpgradeRow): Promise<UpgradeStep | null> {
    if (upgrade.step === 'creating') return this.confirmCreated(upgrade);
    const old = await this.accounts.findSubscription({ id: upgrade.oldSubscriptionId });
    if (!old?.providerId || old.provider === 'mobile') return 'failed';
    const { providerId } = old;
    const provider = this.providers.of(old.provider);
    if (upgrade.step === 'ending') {
      await this.sync.change(old.id, () => provider.endSubscription(providerId, `upgrade:${upgrade.id}:end`));
      return 'refunding';
    }
    await this.refund(upgrade, provider, { ...old, providerId });
    await this.sync.subscription(old.id);
    return 'done';
  }

  private async confirmCreated({ newSubscriptionId, createdAt }: UpgradeRow): Promise<UpgradeStep | null> {
    await this.sync.subscription(newSubscriptionId);
    const row = await this.accounts.findSubscription({ id: newSubscriptionId });
    if (row && hasStarted(row)) return 'ending';
    if (Date.now() - createdAt.getTime() < CREATION_TIMEOUT_MS) return null;
    await this.orders.abandon(newSubscriptionId);
    return 'failed';
  }

  private async refund(
    { id, userId, newSubscriptionId, refundCents }: UpgradeRow,
    provider: PaymentProvider,
    from: Subscription & { readonly providerId: string },
  ): Promise<void> {
    const key = `upgrade:${id}:refund`;
    const refundedCents = refundCents > 0 ? await provider.refundSubscription(from.providerId, refundCents, key) : 0;
    const to = await this.accounts.findSubscription({ id: newSubscriptionId });
    await this.database.transaction(async (manager) => {
      await this.upgrades.setRefund(manager, id, refundedCents);
      if (to) await this.mailer.planChanged(manager, { id, userId, from, to, refundedCents });
    });
  }
}
