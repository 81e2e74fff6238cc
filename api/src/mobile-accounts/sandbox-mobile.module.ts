import { type DynamicModule, Module } from '@nestjs/common';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';
import { MobileAccounts } from './mobile-accounts.js';
import { SandboxMobileController } from './sandbox-mobile.controller.js';
import { SandboxMobile } from './sandbox-mobile.js';

@Module({ controllers: [SandboxMobileController], exports: [MobileAccounts] })
export class SandboxMobileModule {
  static at(sandboxUrl: string): DynamicModule {
    const client = new SandboxClient(sandboxUrl);
    return {
      module: SandboxMobileModule,
      providers: [
        { provide: SandboxClient, useValue: client },
        { provide: MobileAccounts, useFactory: () => new SandboxMobile(client) },
      ],
    };
  }
}
