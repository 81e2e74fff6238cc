import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../flags/flags.module.js';
import { ExportRights } from '../tasks/export-rights.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { ACCOUNT_ENTITIES } from './account/account.entities.js';
import { BillingAccounts } from './billing-accounts.js';
import { BillingEntitlements } from './billing-entitlements.js';
import { BillingExportRights } from './billing-export-rights.js';
import { BillingLetters } from './billing-letters.js';
import { BillingPersonalData } from './billing-personal-data.js';
import { BillingReconciler } from './billing-reconciler.js';
import { CheckoutRow } from './checkouts/checkout.entity.js';
import { CheckoutStore } from './checkouts/checkout-store.js';
import { CheckoutsController } from './checkouts/checkouts.controller.js';
import { CheckoutsService } from './checkouts/checkouts.service.js';
import { CustomersService } from './customers.service.js';
import { Fingerprints } from './fingerprints.js';
import { Offers } from './offers.js';
import { PaymentsController } from './payments.controller.js';
import { PriceList } from './price-list.js';
import { PricesController } from './prices.controller.js';
import { ProviderSubjects } from './provider-subjects.js';
import { ProviderSync } from './provider-sync.js';
import { PurchaseRules } from './purchase-rules.js';
import { PurchasesService } from './purchases.service.js';
import { SubscribingService } from './subscribing.service.js';
import { SubscriptionCodesService } from './subscription-codes.service.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { TrialMemory } from './trial-memory.js';
import { UpgradeRow } from './upgrade.entity.js';
import { UpgradeSaga } from './upgrade-saga.js';
import { UpgradesController } from './upgrades.controller.js';
import { UpgradesService } from './upgrades.service.js';
import { VideoLimitsController } from './video-limits.controller.js';
import { VideoUse } from './video-use.js';
import { RefusedApprovals } from './wallet-approvals/refused-approvals.js';
import { WalletAdoption } from './wallet-approvals/wallet-adoption.js';

/** Money: what is bought, what runs, what follows from it. Global, because it implements ports that others declare. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([...ACCOUNT_ENTITIES, UpgradeRow, CheckoutRow]),
    FlagsModule,
    TasksModule,
    UsersModule,
  ],
  controllers: [
    CheckoutsController,
    PaymentsController,
    PricesController,
    SubscriptionsController,
    UpgradesController,
    VideoLimitsController,
  ],
  providers: [
    {
      provide: Fingerprints,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => Fingerprints.fromEnvironment(environment),
    },
    TrialMemory,
    BillingAccounts,
    BillingPersonalData,
    BillingEntitlements,
    BillingReconciler,
    BillingLetters,
    SubscriptionCodesService,
    VideoUse,
    CheckoutStore,
    CheckoutsService,
    RefusedApprovals,
    WalletAdoption,
    CustomersService,
    Offers,
    PriceList,
    ProviderSubjects,
    ProviderSync,
    PurchaseRules,
    PurchasesService,
    SubscribingService,
    SubscriptionsService,
    UpgradeSaga,
    UpgradesService,
    { provide: ExportRights, useClass: BillingExportRights },
  ],
  exports: [
    BillingAccounts,
    BillingReconciler,
    CheckoutsService,
    ExportRights,
    ProviderSubjects,
    SubscriptionCodesService,
    SubscriptionsService,
    VideoUse,
  ],
})
export class BillingModule {}
