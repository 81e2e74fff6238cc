import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { BillingMailModule } from '../billing-mail/billing-mail.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { ProviderSyncModule } from '../provider-sync/provider-sync.module.js';
import { UsersModule } from '../users/users.module.js';
import { CardSubscriptionsService } from './card-subscriptions.service.js';
import { PlanChanges } from './plan-changes.js';
import { SubscriptionCodeRepository } from './subscription-code.repository.js';
import { SubscriptionCodesService } from './subscription-codes.service.js';
import { SubscriptionOrders } from './subscription-orders.js';
import { SubscriptionsController, UpgradesController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { UpgradeRepository, UpgradeRow } from './upgrade.repository.js';
import { UpgradeSaga } from './upgrade-saga.js';
import { UpgradesService } from './upgrades.service.js';
import { WalletSubscriptionsService } from './wallet-subscriptions.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([UpgradeRow]),
    BillingAccountsModule,
    BillingMailModule,
    PaymentsModule,
    PricesModule,
    ProviderSyncModule,
    UsersModule,
  ],
  controllers: [SubscriptionsController, UpgradesController],
  providers: [
    CardSubscriptionsService,
    PlanChanges,
    SubscriptionCodeRepository,
    SubscriptionCodesService,
    SubscriptionOrders,
    SubscriptionsService,
    UpgradeRepository,
    UpgradeSaga,
    UpgradesService,
    WalletSubscriptionsService,
  ],
  exports: [SubscriptionCodesService, SubscriptionOrders, UpgradeSaga, UpgradesService, WalletSubscriptionsService],
})
export class SubscriptionsModule {}
