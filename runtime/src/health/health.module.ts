import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { REQUIRED_CHECKS, Readiness } from './readiness.js';

@Module({})
export class HealthModule {
  /** @param names of the readiness checks; the boot fails unless exactly these are declared */
  static requiring(...names: readonly string[]): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      // Failed checks are not logged: supervisors poll every few seconds.
      imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
      providers: [Readiness, { provide: REQUIRED_CHECKS, useValue: names }],
      exports: [Readiness],
    };
  }
}
