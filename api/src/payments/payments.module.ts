import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { ProviderSyncModule } from '../provider-sync/provider-sync.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { CardPaymentsService } from './card-payments.service.js';
import { CheckoutRepository, CheckoutRow } from './checkout.repository.js';
import { CheckoutsService } from './checkouts.service.js';
import { CheckoutsController, PaymentsController } from './payments.controller.js';
import { PurchasesService } from './purchases.service.js';
import { WalletPaymentsService } from './wallet-payments.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CheckoutRow]),
    BillingAccountsModule,
    PricesModule,
    ProviderSyncModule,
    TasksModule,
    UsersModule,
  ],
  controllers: [CheckoutsController, PaymentsController],
  providers: [CardPaymentsService, CheckoutRepository, CheckoutsService, PurchasesService, WalletPaymentsService],
  exports: [CardPaymentsService, CheckoutRepository, WalletPaymentsService],
})
export class PaymentsModule {}
