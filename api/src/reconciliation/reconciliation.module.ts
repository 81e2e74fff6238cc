import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProviderSyncModule } from '../provider-sync/provider-sync.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { UsersModule } from '../users/users.module.js';
import { BillingReconciler } from './billing-reconciler.js';
import { ProviderEventProcessor } from './provider-event-processor.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { WalletFulfillment } from './wallet-fulfillment.js';

@Module({
  imports: [
    BillingAccountsModule,
    DownloadsModule,
    PaymentsModule,
    ProviderSyncModule,
    SubscriptionsModule,
    UsersModule,
  ],
  providers: [BillingReconciler, ProviderEventProcessor, ReconciliationRepository, WalletFulfillment],
  exports: [ProviderEventProcessor],
})
export class ReconciliationModule {}
