import { type DynamicModule, Module } from '@nestjs/common';
import { SandboxClient } from '../../platform/sandbox/sandbox-client.js';
import { IdentityProvider } from '../provider/identity-provider.js';
import { SandboxIdentityController } from './sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox-identity.js';

/** The sandbox in place of an identity provider. */
@Module({ controllers: [SandboxIdentityController], exports: [IdentityProvider] })
export class SandboxIdentityModule {
  /** @param sandboxUrl address of the sandbox */
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
