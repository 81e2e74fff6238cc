import { ERRORS, type ErrorCode } from '@clearframe/contract';

/** Everything about a refusal beyond its code. */
export interface AppErrorOptions {
  /** Shown to the client, in English. Absent: the catalogue's title. */
  readonly description?: string;
  /** A field map, or the limits that were hit. Shown to the client. */
  readonly details?: Record<string, unknown>;
  /** For the log only. */
  readonly internal?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A refusal with a code of the catalogue. Whatever else is thrown is a fault of ours. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly options: AppErrorOptions = {},
  ) {
    super(options.internal ?? options.description ?? ERRORS[code].title, { cause: options.cause });
    this.status = ERRORS[code].status;
  }
}

/** The error of a port that was used although nobody configured it. */
export const notConfigured = (service: string): AppError =>
  new AppError('service.not_configured', {
    description: `trying to use ${service}, but this service has not been configured`,
  });
