import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { CountriesConfig } from './countries.config.js';

/** Visitors' countries, and countries where nothing is sold. */
@Module({})
export class CountriesModule {
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: CountriesModule,
      global: true,
      providers: [{ provide: CountriesConfig, useValue: CountriesConfig.fromEnvironment(environment) }],
      exports: [CountriesConfig],
    };
  }
}
