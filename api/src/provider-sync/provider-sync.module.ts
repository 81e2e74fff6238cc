import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { BillingMailModule } from '../billing-mail/billing-mail.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { CustomersService } from './customers.service.js';
import { ProviderSync } from './provider-sync.js';
import { CustomerRepository, RefusedApprovalRepository } from './provider-sync.repository.js';
import { RefusedApprovals } from './refused-approvals.js';

@Module({
  imports: [BillingAccountsModule, BillingMailModule, TasksModule, UsersModule],
  providers: [CustomerRepository, CustomersService, ProviderSync, RefusedApprovalRepository, RefusedApprovals],
  exports: [CustomersService, ProviderSync, RefusedApprovals],
})
export class ProviderSyncModule {}
