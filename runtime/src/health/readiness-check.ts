import { DiscoveryService } from '@nestjs/core';

/** `name` is unique in a process. */
export interface ReadinessCheckOptions {
  readonly name: string;
  /** The process serves without it: the report becomes `degraded`, the status code stays 200. */
  readonly isOptional?: boolean;
}

/** The report shows its message. Those of other errors can name hosts. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface Dependency {
  /** Rejects or throws while the dependency is unavailable. */
  check(): Promise<unknown> | unknown;
}

/** Declares a {@link Dependency} as a readiness check; `HealthModule.requiring` lists its name. */
export const ReadinessCheck = DiscoveryService.createDecorator<ReadinessCheckOptions>();
