import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { BillingMailModule } from '../billing-mail/billing-mail.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { BillingDataRepository } from './billing-data.repository.js';
import { BillingPersonalData } from './billing-personal-data.js';

/** All of billing, and the personal data that it holds. */
@Module({
  imports: [BillingAccountsModule, BillingMailModule, PaymentsModule, ReconciliationModule, SubscriptionsModule],
  providers: [BillingDataRepository, BillingPersonalData],
})
export class BillingModule {}
