import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ACCOUNT_ENTITIES } from './account.entities.js';
import { AccountRepository } from './account.repository.js';
import { BillingAccounts } from './billing-accounts.js';
import { BillingStateRepository } from './billing-state.repository.js';
import { Entitlements } from './entitlements.service.js';
import { ExportRights } from './export-rights.js';
import { Fingerprints, StoredFingerprints } from './fingerprints.js';

@Module({
  imports: [TypeOrmModule.forFeature(ACCOUNT_ENTITIES)],
  providers: [
    {
      provide: Fingerprints,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => Fingerprints.fromEnvironment(environment),
    },
    AccountRepository,
    BillingAccounts,
    BillingStateRepository,
    Entitlements,
    ExportRights,
    StoredFingerprints,
  ],
  exports: [AccountRepository, BillingAccounts, Entitlements, ExportRights],
})
export class BillingAccountsModule {}
