import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { PasswordGate } from './password-gate.js';
import { StaffConfig } from './staff.config.js';
import { StaffController } from './staff.controller.js';
import { StaffGuard } from './staff.guard.js';
import { StaffService } from './staff.service.js';

/** The secret menu. Its guard comes after the one that says who calls. */
@Module({})
export class StaffModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const config = StaffConfig.fromEnvironment(environment);
    if (config.madeUpPassword) {
      new Logger(StaffModule.name).log(`the staff password of this start is ${config.madeUpPassword}`);
    }
    return {
      module: StaffModule,
      imports: [AuditModule, UsersModule],
      controllers: [StaffController],
      providers: [
        { provide: StaffConfig, useValue: config },
        PasswordGate,
        StaffService,
        { provide: APP_GUARD, useClass: StaffGuard },
      ],
      exports: [PasswordGate],
    };
  }
}
