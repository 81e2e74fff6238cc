import { ConfigurationError, type Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { sandboxUrlIn } from '../platform/sandbox.js';
import { CallerService } from '../sessions/caller.service.js';
import { Session, SessionRepository } from '../sessions/session.repository.js';
import { SessionService } from '../sessions/session.service.js';
import { AuthConfig, TokenService } from '../sessions/token.service.js';
import { FirebaseConfig } from './firebase/firebase.config.js';
import { IdentityConfig, IdentityProvider, UnconfiguredIdentity } from './identity-provider.js';

@Module({})
export class IdentityModule {
  static async forEnvironment(environment: Environment): Promise<DynamicModule> {
    const { provider } = IdentityConfig.fromEnvironment(environment);
    const adapter = await adapterOf(provider, environment);
    return {
      module: IdentityModule,
      global: true,
      imports: [BillingAccountsModule, TypeOrmModule.forFeature([Session]), adapter],
      providers: [
        { provide: AuthConfig, useValue: AuthConfig.fromEnvironment(environment) },
        TokenService,
        SessionRepository,
        CallerService,
        SessionService,
      ],
      exports: [SessionService, CallerService, adapter],
    };
  }
}

async function adapterOf(provider: IdentityConfig['provider'], environment: Environment): Promise<DynamicModule> {
  switch (provider) {
    case 'sandbox': {
      const url = sandboxUrlIn(environment);
      if (!url) throw new ConfigurationError('SANDBOX_URL: is missing');
      const { SandboxIdentity } = await import('./sandbox/sandbox-identity.js');
      return providing({ provide: IdentityProvider, useFactory: () => new SandboxIdentity(url) });
    }
    case 'firebase': {
      const config = FirebaseConfig.fromEnvironment(environment);
      const { FirebaseIdentity } = await import('./firebase/firebase-identity.js');
      return providing({ provide: IdentityProvider, useFactory: () => new FirebaseIdentity(config) });
    }
    case 'none':
      return providing({ provide: IdentityProvider, useClass: UnconfiguredIdentity });
  }
}

class IdentityAdapterModule {}

const providing = (adapter: Provider): DynamicModule => ({
  module: IdentityAdapterModule,
  providers: [adapter],
  exports: [IdentityProvider],
});
