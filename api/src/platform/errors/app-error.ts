import { ERRORS, type ErrorCode } from '@clearframe/contract';

interface AppErrorOptions {
  /** Shown to the client, in English; defaults to the catalogue's title. */
  readonly description?: string;
  /** Field errors or exceeded limits. Shown to the client. */
  readonly details?: Record<string, unknown>;
  /** For the log only. */
  readonly internal?: string;
  readonly retryAfterSeconds?: number;
  /** Size of the file whose range was refused (RFC 9110, 15.5.17). */
  readonly fileBytes?: number;
  readonly cause?: unknown;
}

export class AppError extends Error {
  override readonly name: string = 'AppError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly options: AppErrorOptions = {},
  ) {
    super(options.internal ?? options.description ?? ERRORS[code].title, { cause: options.cause });
    this.status = ERRORS[code].status;
  }
}

/** Error of a port without a configured adapter. */
export const notConfigured = (service: string): AppError =>
  new AppError('service.not_configured', {
    description: `trying to use ${service}, but this service has not been configured`,
  });
