import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeys, NoApiKeys } from './caller/api-keys.js';
import { Entitlements } from './caller/entitlements.js';
import { FirebaseConfig } from './firebase/firebase.config.js';
import { FirebaseIdentity } from './firebase/firebase-identity.js';
import { IdentityConfig } from './provider/identity.config.js';
import { IdentityProvider, UnconfiguredIdentity } from './provider/identity-provider.js';
import { SandboxAccounts } from './sandbox/sandbox-accounts.js';
import { SandboxAccountsRepository } from './sandbox/sandbox-accounts.repository.js';
import { SandboxIdentityController } from './sandbox/sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox/sandbox-identity.js';
import { SandboxKeys } from './sandbox/sandbox-keys.js';
import { SandboxKeysRepository } from './sandbox/sandbox-keys.repository.js';
import { AuthConfig } from './sessions/auth.config.js';
import { CallerService } from './sessions/caller.service.js';
import { Session } from './sessions/session.entity.js';
import { SessionRepository } from './sessions/session.repository.js';
import { SessionService } from './sessions/session.service.js';
import { TokenService } from './sessions/token.service.js';

@Module({})
export class IdentityModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const { provider } = IdentityConfig.fromEnvironment(environment);
    return {
      module: IdentityModule,
      global: true,
      imports: [DiscoveryModule, TypeOrmModule.forFeature([Session])],
      controllers: provider === 'sandbox' ? [SandboxIdentityController] : [],
      providers: [
        { provide: AuthConfig, useValue: AuthConfig.fromEnvironment(environment) },
        TokenService,
        SessionRepository,
        CallerService,
        { provide: ApiKeys, useClass: NoApiKeys },
        SessionService,
        Entitlements,
        ...adapterOf(provider, environment),
      ],
      exports: [SessionService, CallerService, Entitlements, IdentityProvider],
    };
  }
}

function adapterOf(provider: IdentityConfig['provider'], environment: Environment): Provider[] {
  switch (provider) {
    case 'sandbox':
      return [
        SandboxKeysRepository,
        SandboxKeys,
        SandboxAccountsRepository,
        SandboxAccounts,
        SandboxIdentity,
        { provide: IdentityProvider, useExisting: SandboxIdentity },
      ];
    case 'firebase': {
      const config = FirebaseConfig.fromEnvironment(environment);
      return [{ provide: IdentityProvider, useFactory: () => new FirebaseIdentity(config) }];
    }
    case 'none':
      return [{ provide: IdentityProvider, useClass: UnconfiguredIdentity }];
  }
}
