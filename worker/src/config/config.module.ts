import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from './environment.js';
import { InferenceConfig } from './inference.config.js';
import { JobsConfig } from './jobs.config.js';
import { RedisConfig } from './redis.config.js';
import { ServerConfig } from './server.config.js';
import { StorageConfig } from './storage.config.js';

const CONCERNS = [InferenceConfig, JobsConfig, RedisConfig, ServerConfig, StorageConfig];

/** Reads every concern's settings once, at boot. */
@Global()
@Module({})
export class ConfigModule {
  /** @throws ConfigurationError naming the first variable that will not do */
  static from(environment: Environment): DynamicModule {
    const providers = CONCERNS.map((concern) => ({
      provide: concern,
      useValue: concern.fromEnvironment(environment),
    }));
    return { module: ConfigModule, providers, exports: CONCERNS };
  }
}
