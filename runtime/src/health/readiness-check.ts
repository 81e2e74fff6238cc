import { DiscoveryService } from '@nestjs/core';

/** How a dependency counts. */
export interface ReadinessCheckOptions {
  /** Its name in the readiness report; unique. */
  readonly name: string;
  /** The process serves without it: its absence makes the report `degraded`, and the status code stays 200. */
  readonly isOptional?: boolean;
}

/** A dependency of the process. */
export interface Dependency {
  /** Rejects or throws while the dependency is unavailable. */
  check(): Promise<unknown> | unknown;
}

/**
 * Declares a provider as a readiness check; it implements {@link Dependency}. A module lists the class under
 * `providers`, and the application names it in `HealthModule.requiring`.
 */
export const ReadinessCheck = DiscoveryService.createDecorator<ReadinessCheckOptions>();
