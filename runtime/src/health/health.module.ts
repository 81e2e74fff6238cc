import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { REQUIRED_CHECKS, Readiness } from './readiness.js';

/** Provides {@link Readiness}. */
@Module({})
export class HealthModule {
  /** @param names of the readiness checks that must be declared, no more and no fewer; otherwise the boot fails */
  static requiring(...names: readonly string[]): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      // Failed checks are not logged: supervisors ask every few seconds.
      imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
      providers: [Readiness, { provide: REQUIRED_CHECKS, useValue: names }],
      exports: [Readiness],
    };
  }
}
