import { type DynamicModule, Module } from '@nestjs/common';
import { SandboxClient } from '../../platform/sandbox/sandbox-client.js';
import { IdentityProvider } from '../identity-provider.js';
import { SandboxIdentityController } from './sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox-identity.js';

@Module({ controllers: [SandboxIdentityController], exports: [IdentityProvider] })
export class SandboxIdentityModule {
  static at(sandboxUrl: string): DynamicModule {
    const client = new SandboxClient(sandboxUrl);
    return {
      module: SandboxIdentityModule,
      providers: [
        { provide: SandboxClient, useValue: client },
        { provide: IdentityProvider, useFactory: () => new SandboxIdentity(sandboxUrl, client) },
      ],
    };
  }
}
