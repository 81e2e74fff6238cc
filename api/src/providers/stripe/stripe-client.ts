import { CURRENCIES, type Currency, TIME_LIMITS } from '@clearframe/contract';
import Stripe from 'stripe';
import { isTemporaryStatus, PaymentDeclined, ProviderUnavailable } from '../payment-provider.js';
import type { StripeConfig } from './stripe.config.js';

const TIMEOUT_MS = TIME_LIMITS.payment.provider;

/** Key of the metadata that names our row. */
export const REFERENCE = 'reference';

export const METHOD_TYPES: Stripe.PaymentIntentCreateParams['allowed_payment_method_types'] = ['card', 'paypal'];

/** Without retries: callers repeat with the same key, also after a restart. */
export function createStripe({ secretKey, apiUrl }: StripeConfig): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'clearframe' },
    ...(apiUrl && {
      host: apiUrl.hostname,
      port: apiUrl.port || (apiUrl.protocol === 'https:' ? '443' : '80'),
      protocol: apiUrl.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  });
}

/**
 * @throws PaymentDeclined, ProviderUnavailable, or Error for a request that is wrong: without the `statusCode` of the
 * SDK's error, which would become that of our response
 */
export async function callStripe<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (isDeclined(error)) {
      throw new PaymentDeclined(error.decline_code ?? error.code ?? 'card_declined', { cause: error });
    }
    if (isTemporary(error)) throw new ProviderUnavailable((error as Error).message, { cause: error });
    if (error instanceof Stripe.errors.StripeError) throw new Error(error.message, { cause: error });
    throw error;
  }
}

export const isDeclined = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeCardError> =>
  error instanceof Stripe.errors.StripeCardError;

function isTemporary(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return isTemporaryStatus(error.statusCode ?? 0);
}

export const orNull = <Result>(request: Promise<Result>): Promise<Result | null> =>
  request.catch((error: unknown) => {
    if (isUnknownId(error)) return null;
    throw error;
  });

/** True as well for a subscription that has ended and can't be changed. */
export const isUnknownId = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;

export const idOf = (value: string | { readonly id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);

export const isRejected = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError;

export function currencyOf(code: string): Currency {
  const currency = CURRENCIES.find((known) => known === code);
  if (!currency) throw new Error(`a payment in ${code}, which the product doesn't sell in`);
  return currency;
}

/** Statuses of inquiries and disputes that cost us nothing. */
const SETTLED: readonly Stripe.Dispute.Status[] = ['won', 'warning_closed'];

/** A charge stays `disputed` after its dispute is won. */
export async function isDisputed(stripe: Stripe, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false;
  const { data } = await stripe.disputes.list({ charge: id, limit: 100 });
  return data.length === 0 || data.some(({ status }) => !SETTLED.includes(status));
}

/** Key of the metadata by which a refund is found again. */
export const REFUND_KEY = 'refund_key';

interface NewRefund {
  readonly intent: string;
  /** Absent: what is left. */
  readonly amount?: number;
  readonly key: string;
}

export async function createRefund(stripe: Stripe, { intent, amount, key }: NewRefund): Promise<void> {
  await stripe.refunds.create(
    {
      payment_intent: intent,
      ...(amount !== undefined && { amount }),
      reason: 'requested_by_customer',
      metadata: { [REFUND_KEY]: key },
    },
    { idempotencyKey: `${key}:${intent}` },
  );
}
