import { mobileRoutes, type RouteInput, type User } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UsersModule } from '../users/users.module.js';
import { MobileService } from './mobile.service.js';
import { MobileAccounts, MobileConfig, UnconfiguredMobile } from './mobile-accounts.js';

@Controller()
class MobileController {
  constructor(private readonly mobile: MobileService) {}

  @Route(mobileRoutes.linkMobileSubscription)
  link(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof mobileRoutes.linkMobileSubscription>,
  ): Promise<User> {
    return this.mobile.link(caller, body.oracleBackendId);
  }
}

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
      imports: [BillingAccountsModule, UsersModule],
      controllers: [MobileController],
      providers: [MobileService, { provide: MobileAccounts, useValue: accounts }],
    };
  }
}
