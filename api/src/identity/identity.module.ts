import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../platform/config/environment.js';
import { AuthConfig } from './auth.config.js';
import { CallerGuard } from './caller.guard.js';
import { IdentityConfig } from './identity.config.js';
import { IdentityProvider } from './identity-provider.js';
import { SandboxIdentityController } from './sandbox/sandbox-identity.controller.js';
import { SandboxIdentity } from './sandbox/sandbox-identity.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';
import { TokenService } from './token.service.js';
import { UnconfiguredIdentity } from './unconfigured-identity.js';

/** Who is calling: identity providers, tokens, sessions, the guard in front of every row that needs one. */
@Module({})
export class IdentityModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const isSandbox = IdentityConfig.fromEnvironment(environment).provider === 'sandbox';
    return {
      module: IdentityModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Session])],
      controllers: isSandbox ? [SandboxIdentityController] : [],
      providers: [
        { provide: AuthConfig, useValue: AuthConfig.fromEnvironment(environment) },
        TokenService,
        SessionService,
        ...(isSandbox ? [SandboxIdentity] : []),
        isSandbox
          ? { provide: IdentityProvider, useExisting: SandboxIdentity }
          : { provide: IdentityProvider, useClass: UnconfiguredIdentity },
        { provide: APP_GUARD, useClass: CallerGuard },
      ],
      exports: [SessionService, IdentityProvider],
    };
  }
}
