import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.repository.js';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { UsersModule } from '../users/users.module.js';
import { MIN_PASSWORD_LENGTH, StaffConfig } from './staff.config.js';
import { StaffController } from './staff.controller.js';
import { StaffService } from './staff.service.js';
import { PasswordGate, StaffAccess, StaffBrowserAccess } from './staff-access.js';

@Module({})
export class StaffModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const config = StaffConfig.fromEnvironment(environment);
    const logger = new Logger(StaffModule.name);
    if (config.generatedPassword) logger.log(`the staff password of this start is ${config.generatedPassword}`);
    if (config.isWeak) logger.warn(`CLEARFRAME_STAFF_PASSWORD has fewer than ${MIN_PASSWORD_LENGTH} characters`);
    return {
      module: StaffModule,
      imports: [AuditModule, BillingAccountsModule, UsersModule],
      controllers: [StaffController],
      providers: [
        { provide: StaffConfig, useValue: config },
        PasswordGate,
        StaffService,
        StaffAccess,
        StaffBrowserAccess,
      ],
      exports: [PasswordGate, StaffAccess, StaffBrowserAccess],
    };
  }
}
