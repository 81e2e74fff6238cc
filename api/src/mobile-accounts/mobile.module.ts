import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { MobileConfig } from './mobile.config.js';
import { MobileController } from './mobile.controller.js';
import { MobileService } from './mobile.service.js';
import { MobileAccounts, UnconfiguredMobile } from './mobile-accounts.js';

@Module({})
export class MobileModule {
  /** Production loads nothing of the sandbox. */
  static async forEnvironment(environment: Environment): Promise<DynamicModule> {
    const { sandboxUrl } = MobileConfig.fromEnvironment(environment);
    const accounts =
      sandboxUrl === null
        ? new UnconfiguredMobile()
        : new (await import('./sandbox-mobile.js')).SandboxMobile(sandboxUrl);
    return {
      module: MobileModule,
      imports: [UsersModule],
      controllers: [MobileController],
      providers: [MobileService, { provide: MobileAccounts, useValue: accounts }],
    };
  }
}
