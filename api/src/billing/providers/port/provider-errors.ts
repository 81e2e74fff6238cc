import { AppError } from '../../../platform/errors/app-error.js';
import { PaymentDeclined, ProviderUnavailable } from './payment-provider.js';

const RETRY_SECONDS = 5;
const UNIQUE_VIOLATION = '23505';

export async function mapProviderErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PaymentDeclined) throw new AppError('payments.declined', { cause: error });
    if (error instanceof ProviderUnavailable) {
      throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause: error });
    }
    throw error;
  }
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  return driverError?.code === UNIQUE_VIOLATION && driverError.constraint === constraint;
}
