import { type Abstract, type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from './environment.js';

/** Injection token of the process's {@link Environment}. */
export const ENVIRONMENT = Symbol('environment');

/** A class that holds the settings of one concern. */
export interface ConfigClass extends Abstract<object> {
  /** @throws ConfigurationError */
  fromEnvironment(environment: Environment): object;
}

/** Provides settings to every module of the application. */
@Module({})
export class ConfigModule {
  /**
   * Reads all settings at once, before any connection is opened.
   * @throws ConfigurationError for the first unusable variable
   */
  static from(environment: Environment, concerns: readonly ConfigClass[]): DynamicModule {
    const providers = [
      { provide: ENVIRONMENT, useValue: environment },
      ...concerns.map((concern) => ({ provide: concern, useValue: concern.fromEnvironment(environment) })),
    ];
    return { module: ConfigModule, global: true, providers, exports: providers };
  }
}
