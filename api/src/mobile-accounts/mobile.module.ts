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
    const common = { module: MobileModule, controllers: [MobileController] };
    if (sandboxUrl === null) {
      return {
        ...common,
        imports: [UsersModule],
        providers: [MobileService, { provide: MobileAccounts, useClass: UnconfiguredMobile }],
      };
    }
    const { SandboxMobileModule } = await import('./sandbox-mobile.module.js');
    return { ...common, imports: [UsersModule, SandboxMobileModule.at(sandboxUrl)], providers: [MobileService] };
  }
}
