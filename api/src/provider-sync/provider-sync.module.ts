import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { BillingMailModule } from '../billing-mail/billing-mail.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ProviderSync } from './provider-sync.js';
import { RefusedApprovalRepository } from './refused-approval.repository.js';
import { RefusedApprovals } from './refused-approvals.js';

@Module({
  imports: [BillingAccountsModule, BillingMailModule, TasksModule],
  providers: [ProviderSync, RefusedApprovalRepository, RefusedApprovals],
  exports: [ProviderSync, RefusedApprovals],
})
export class ProviderSyncModule {}
