import { AppError } from '../platform/errors/app-error.js';

const RETRY_SECONDS = 5;
const TOO_MANY_REQUESTS = 429;
const CONFLICT = 409;
const SERVER_ERROR = 500;

/** A failure that the payer can resolve: declined, no funds, authentication required. */
export class PaymentDeclined extends AppError {
  override readonly name = 'PaymentDeclined';

  constructor(reason: string, { cause }: ErrorOptions = {}) {
    super('payments.declined', { internal: reason, cause });
  }
}

/** No response from the provider. The call can be repeated with the same key. */
export class ProviderUnavailable extends AppError {
  override readonly name = 'ProviderUnavailable';

  constructor(reason: string, { cause }: ErrorOptions = {}) {
    super('service.unavailable', { internal: reason, retryAfterSeconds: RETRY_SECONDS, cause });
  }
}

/** 409: a request with the same idempotency key is still being executed. */
export const isTemporaryStatus = (status: number): boolean =>
  status === TOO_MANY_REQUESTS || status === CONFLICT || status >= SERVER_ERROR;
