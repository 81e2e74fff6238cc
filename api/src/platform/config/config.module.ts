import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from './app.config.js';
import type { Environment } from './environment.js';
import { LimitsConfig } from './limits.config.js';
import { SealConfig } from './seal.config.js';
import { DatabaseConfig, RedisConfig } from './services.config.js';

/** What every capability may need to know. A capability's own settings are read in its own module. */
export const ENVIRONMENT = Symbol('the environment');

@Module({})
export class ConfigModule {
  /** Reads every concern at once, so that a bad value stops the boot before anything has been opened. */
  static forEnvironment(environment: Environment): DynamicModule {
    const providers = [
      { provide: ENVIRONMENT, useValue: environment },
      { provide: AppConfig, useValue: AppConfig.fromEnvironment(environment) },
      { provide: DatabaseConfig, useValue: DatabaseConfig.fromEnvironment(environment) },
      { provide: RedisConfig, useValue: RedisConfig.fromEnvironment(environment) },
      { provide: SealConfig, useValue: SealConfig.fromEnvironment(environment) },
      { provide: LimitsConfig, useValue: LimitsConfig.fromEnvironment(environment) },
    ];
    return { module: ConfigModule, global: true, providers, exports: providers };
  }
}
