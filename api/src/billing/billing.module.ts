import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ACCOUNT_ENTITIES } from '../billing-accounts/account.entities.js';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { BillingEntitlements } from '../billing-accounts/billing-entitlements.js';
import { BillingExportRights } from '../billing-accounts/billing-export-rights.js';
import { BillingStateRepository } from '../billing-accounts/billing-state.repository.js';
import { Fingerprints, StoredFingerprints } from '../billing-accounts/fingerprints.js';
import { TrialRepository } from '../billing-accounts/trial.repository.js';
import { BillingMailRepository, ReceiptRepository } from '../billing-mail/billing-mail.repository.js';
import { BillingMailer } from '../billing-mail/billing-mailer.js';
import { ReceiptsController } from '../billing-mail/receipts.controller.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { CardPaymentsService } from '../payments/card-payments.service.js';
import { CheckoutRepository, CheckoutRow } from '../payments/checkout.repository.js';
import { CheckoutsService } from '../payments/checkouts.service.js';
import { CheckoutsController, PaymentsController } from '../payments/payments.controller.js';
import { PurchasesService } from '../payments/purchases.service.js';
import { Offers } from '../prices/offers.js';
import { PriceList, PricesController } from '../prices/prices.controller.js';
import { PurchaseRules } from '../prices/purchase-rules.js';
import { CustomersService } from '../provider-sync/customers.service.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { CustomerRepository, RefusedApprovalRepository } from '../provider-sync/provider-sync.repository.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { BillingReconciler } from '../reconciliation/billing-reconciler.js';
import { ProviderEventProcessor } from '../reconciliation/provider-event-processor.js';
import { ReconciliationRepository } from '../reconciliation/reconciliation.repository.js';
import { WalletFulfillment } from '../reconciliation/wallet-fulfillment.js';
import { CardSubscriptionsService } from '../subscriptions/card-subscriptions.service.js';
import { SubscriptionCodeRepository } from '../subscriptions/subscription-code.repository.js';
import { SubscriptionCodesService } from '../subscriptions/subscription-codes.service.js';
import { SubscriptionOrders } from '../subscriptions/subscription-orders.js';
import { SubscriptionsController, UpgradesController } from '../subscriptions/subscriptions.controller.js';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { UpgradeRepository, UpgradeRow } from '../subscriptions/upgrade.repository.js';
import { UpgradeSaga } from '../subscriptions/upgrade-saga.js';
import { UpgradesService } from '../subscriptions/upgrades.service.js';
import { WalletSubscriptionsService } from '../subscriptions/wallet-subscriptions.service.js';
import { ExportRights } from '../tasks/export-rights.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { VideoRights } from '../tasks/video-rights.js';
import { UsersModule } from '../users/users.module.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';
import { VideoLimitsController } from '../video-allowances/video-limits.controller.js';
import { VideoUseRepository } from '../video-allowances/video-use.repository.js';
import { BillingDataRepository } from './billing-data.repository.js';
import { BillingPersonalData } from './billing-personal-data.js';
import { BillingExport } from './exported-billing.js';

const REPOSITORIES = [
  AccountRepository,
  BillingDataRepository,
  BillingMailRepository,
  BillingStateRepository,
  CardPaymentsService,
  CheckoutRepository,
  CustomerRepository,
  ReceiptRepository,
  ReconciliationRepository,
  RefusedApprovalRepository,
  SubscriptionCodeRepository,
  TrialRepository,
  UpgradeRepository,
  VideoUseRepository,
];

/** Global: implements ports of other modules. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([...ACCOUNT_ENTITIES, UpgradeRow, CheckoutRow]),
    ExperimentsModule,
    DownloadsModule,
    TasksModule,
    UsersModule,
  ],
  controllers: [
    CheckoutsController,
    PaymentsController,
    PricesController,
    ReceiptsController,
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
    ...REPOSITORIES,
    StoredFingerprints,
    BillingExport,
    BillingAccounts,
    BillingPersonalData,
    BillingEntitlements,
    BillingReconciler,
    BillingMailer,
    SubscriptionCodesService,
    VideoAllowances,
    CheckoutsService,
    RefusedApprovals,
    WalletFulfillment,
    CustomersService,
    Offers,
    PriceList,
    ProviderEventProcessor,
    ProviderSync,
    PurchaseRules,
    PurchasesService,
    CardSubscriptionsService,
    WalletSubscriptionsService,
    SubscriptionOrders,
    SubscriptionsService,
    UpgradeSaga,
    UpgradesService,
    { provide: ExportRights, useClass: BillingExportRights },
    { provide: VideoRights, useExisting: VideoAllowances },
  ],
  exports: [
    BillingAccounts,
    BillingReconciler,
    CheckoutsService,
    ExportRights,
    ProviderEventProcessor,
    SubscriptionCodesService,
    SubscriptionsService,
    VideoAllowances,
    VideoRights,
  ],
})
export class BillingModule {}
