import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthConfig } from './auth.config.js';
import { CallerGuard } from './caller.guard.js';
import { FirebaseConfig } from './firebase/firebase.config.js';
import { FirebaseIdentity } from './firebase/firebase-identity.js';
import { IdentityConfig } from './identity.config.js';
import { IdentityProvider } from './identity-provider.js';
import { SandboxIdentityController } from './sandbox/sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox/sandbox-identity.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';
import { Standings } from './standings.js';
import { TokenService } from './token.service.js';
import { UnconfiguredIdentity } from './unconfigured-identity.js';

/** Who is calling: identity providers, tokens, sessions, the guard in front of every row that needs one. */
@Module({})
export class IdentityModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const { provider } = IdentityConfig.fromEnvironment(environment);
    return {
      module: IdentityModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Session])],
      controllers: provider === 'sandbox' ? [SandboxIdentityController] : [],
      providers: [
        { provide: AuthConfig, useValue: AuthConfig.fromEnvironment(environment) },
        TokenService,
        SessionService,
        Standings,
        ...adapterOf(provider, environment),
        { provide: APP_GUARD, useClass: CallerGuard },
      ],
      exports: [SessionService, Standings, IdentityProvider],
    };
  }
}

function adapterOf(provider: IdentityConfig['provider'], environment: Environment): Provider[] {
  switch (provider) {
    case 'sandbox':
      return [SandboxIdentity, { provide: IdentityProvider, useExisting: SandboxIdentity }];
    case 'firebase': {
      const config = FirebaseConfig.fromEnvironment(environment);
      return [{ provide: IdentityProvider, useFactory: () => new FirebaseIdentity(config) }];
    }
    case 'none':
      return [{ provide: IdentityProvider, useClass: UnconfiguredIdentity }];
  }
}
