import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExportRights } from '../tasks/records/export-rights.js';
import { VideoRights } from '../tasks/records/video-rights.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ExperimentsModule } from '../users/experiments/experiments.module.js';
import { UsersModule } from '../users/users.module.js';
import { ACCOUNT_ENTITIES } from './account/account.entities.js';
import { AccountRepository } from './account/account.repository.js';
import { BillingAccounts } from './account/billing-accounts.js';
import { BillingEntitlements } from './account/billing-entitlements.js';
import { BillingExportRights } from './account/billing-export-rights.js';
import { BillingStateRepository } from './account/billing-state.repository.js';
import { Fingerprints } from './account/fingerprints.js';
import { StoredFingerprints } from './account/stored-fingerprints.js';
import { TrialRepository } from './account/trial.repository.js';
import { VideoAllowances } from './account/video-allowance/video-allowances.js';
import { VideoLimitsController } from './account/video-allowance/video-limits.controller.js';
import { VideoUseRepository } from './account/video-allowance/video-use.repository.js';
import { Offers } from './catalogue/offers.js';
import { PriceList } from './catalogue/price-list.js';
import { PricesController } from './catalogue/prices.controller.js';
import { PurchaseRules } from './catalogue/purchase-rules.js';
import { BillingMailRepository } from './mail/billing-mail.repository.js';
import { BillingMailer } from './mail/billing-mailer.js';
import { ReceiptRepository } from './mail/receipt.repository.js';
import { ReceiptsController } from './mail/receipts.controller.js';
import { BillingDataRepository } from './personal-data/billing-data.repository.js';
import { BillingPersonalData } from './personal-data/billing-personal-data.js';
import { BillingExport } from './personal-data/exported-billing.js';
import { CardPaymentsService } from './purchases/card-payments.service.js';
import { CheckoutRow } from './purchases/checkout.entity.js';
import { CheckoutRepository } from './purchases/checkout.repository.js';
import { CheckoutsController } from './purchases/checkouts.controller.js';
import { CheckoutsService } from './purchases/checkouts.service.js';
import { PaymentsController } from './purchases/payments.controller.js';
import { PurchasesService } from './purchases/purchases.service.js';
import { BillingReconciler } from './reconciliation/billing-reconciler.js';
import { ProviderEventProcessor } from './reconciliation/provider-event-processor.js';
import { ReconciliationRepository } from './reconciliation/reconciliation.repository.js';
import { WalletFulfillment } from './reconciliation/wallet-fulfillment.js';
import { CardSubscriptionsService } from './subscriptions/card-subscriptions.service.js';
import { SubscriptionCodeRepository } from './subscriptions/subscription-code.repository.js';
import { SubscriptionCodesService } from './subscriptions/subscription-codes.service.js';
import { SubscriptionOrders } from './subscriptions/subscription-orders.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions/subscriptions.service.js';
import { UpgradeRow } from './subscriptions/upgrades/upgrade.entity.js';
import { UpgradeRepository } from './subscriptions/upgrades/upgrade.repository.js';
import { UpgradeSaga } from './subscriptions/upgrades/upgrade-saga.js';
import { UpgradesController } from './subscriptions/upgrades/upgrades.controller.js';
import { UpgradesService } from './subscriptions/upgrades/upgrades.service.js';
import { WalletSubscriptionsService } from './subscriptions/wallet-subscriptions.service.js';
import { CustomerRepository } from './sync/customer.repository.js';
import { CustomersService } from './sync/customers.service.js';
import { ProviderSync } from './sync/provider-sync.js';
import { RefusedApprovalRepository } from './sync/refused-approval.repository.js';
import { RefusedApprovals } from './sync/refused-approvals.js';

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
