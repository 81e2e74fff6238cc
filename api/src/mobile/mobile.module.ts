import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { MobileConfig } from './mobile.config.js';
import { MobileController } from './mobile.controller.js';
import { MobileService } from './mobile.service.js';
import { MobileAccounts, UnconfiguredMobile } from './mobile-accounts.js';
import { SandboxMobileController } from './sandbox-mobile.controller.js';
import { SandboxMobileRepository } from './sandbox-mobile.repository.js';

@Module({})
export class MobileModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const isSandbox = MobileConfig.fromEnvironment(environment).provider === 'sandbox';
    return {
      module: MobileModule,
      imports: [UsersModule],
      controllers: isSandbox ? [MobileController, SandboxMobileController] : [MobileController],
      providers: [
        MobileService,
        ...(isSandbox
          ? [SandboxMobileRepository, { provide: MobileAccounts, useExisting: SandboxMobileRepository }]
          : [{ provide: MobileAccounts, useClass: UnconfiguredMobile }]),
      ],
    };
  }
}
