import { ConfigurationError, type Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { sandboxUrlIn } from '../platform/sandbox/sandbox.config.js';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';
import { ApiKeys, NoApiKeys } from './caller/api-keys.js';
import { Entitlements } from './caller/entitlements.js';
import { FirebaseConfig } from './firebase/firebase.config.js';
import { FirebaseIdentity } from './firebase/firebase-identity.js';
import { IdentityConfig } from './provider/identity.config.js';
import { IdentityProvider, UnconfiguredIdentity } from './provider/identity-provider.js';
import { SandboxIdentityController } from './sandbox/sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox/sandbox-identity.js';
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
    case 'sandbox': {
      const url = sandboxUrlIn(environment);
      if (!url) throw new ConfigurationError('SANDBOX_URL: is missing');
      const client = new SandboxClient(url);
      return [
        { provide: SandboxClient, useValue: client },
        { provide: IdentityProvider, useFactory: () => new SandboxIdentity(url, client) },
      ];
    }
    case 'firebase': {
      const config = FirebaseConfig.fromEnvironment(environment);
      return [{ provide: IdentityProvider, useFactory: () => new FirebaseIdentity(config) }];
    }
    case 'none':
      return [{ provide: IdentityProvider, useClass: UnconfiguredIdentity }];
  }
}
