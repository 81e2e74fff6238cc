import { type Abstract, type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from './environment.js';

export * from './environment.js';

export const ENVIRONMENT = Symbol('environment');

/** Settings of one concern. `fromEnvironment` throws ConfigurationError. */
export interface ConfigClass extends Abstract<object> {
  fromEnvironment(environment: Environment): object;
}

/** Provides the environment and the settings read from it globally. */
@Module({})
export class ConfigModule {
  /** @throws ConfigurationError for the first unusable variable, before any connection is opened */
  static from(environment: Environment, concerns: readonly ConfigClass[]): DynamicModule {
    const providers = [
      { provide: ENVIRONMENT, useValue: environment },
      ...concerns.map((concern) => ({ provide: concern, useValue: concern.fromEnvironment(environment) })),
    ];
    return { module: ConfigModule, global: true, providers, exports: providers };
  }
}

/**
 * Base of a class with the given fields, for settings that are injected by their class:
 * `class MailConfig extends Settings<MailSettings>() {}`.
 */
export function Settings<Values extends object>(): new (values: Readonly<Values>) => Readonly<Values> {
  class WithValues {
    constructor(values: Readonly<Values>) {
      Object.assign(this, values);
    }
  }
  return WithValues as new (
    values: Readonly<Values>,
  ) => Readonly<Values>;
}
