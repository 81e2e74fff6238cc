import type { Currency, SubscriptionStatus } from '@clearframe/contract';

/** Rows whose provider the sandbox simulates have the same names. */
export type ProviderName = 'stripe' | 'paypal';

/** A subscription returned by the provider. Amounts are minor units. */
export interface SubscriptionSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  /** Null at the wallet, which identifies the payer by {@link reference}. */
  readonly customerId: string | null;
  readonly reference: string | null;
  readonly priceId: string;
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  readonly trialEnd: Date | null;
  /** Ends with the period instead of renewing. */
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: Date | null;
  readonly endedAt: Date | null;
  readonly hasIntro: boolean;
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Identifies a card across payment methods; null when the provider has none. */
  readonly fingerprint: string | null;
}

export interface PaymentSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  readonly customerId: string | null;
  readonly reference: string | null;
  /** `approved`: approved by the payer in the wallet, not captured. */
  readonly status: 'pending' | 'approved' | 'succeeded' | 'failed' | 'canceled';
  readonly amountCents: number;
  readonly currency: Currency;
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  readonly payerEmail: string | null;
}

/** Names its subject only: the state is read from the provider, because the body isn't trusted. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: {
    readonly provider: ProviderName;
    readonly kind: 'subscription' | 'payment';
    readonly id: string;
  } | null;
}

export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** State when it was last read; `pending` and `abandoned` before the first reading. */
export interface KnownSubscription {
  readonly id: string;
  readonly status: SubscriptionStatus | 'pending' | 'abandoned';
}

/** Reads return null for unknown ids. Every change takes an idempotency `key`. */
export abstract class PaymentProvider {
  abstract readonly name: ProviderName;
  /** Whether a cancelled subscription runs until the end of its period; otherwise it ends at once. */
  abstract readonly cancelsAtPeriodEnd: boolean;
  /**
   * Whether payers create subscriptions and orders at the provider, which are adopted here. Otherwise they are created
   * for a stored row, whose id is their {@link SubscriptionSnapshot.reference}.
   */
  abstract readonly needsApproval: boolean;
  abstract readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  abstract readPayment(id: string): Promise<PaymentSnapshot | null>;
  /** Stops the renewal as late as the provider can: at the end of the paid period, or at once. */
  abstract cancelSubscription(subscription: KnownSubscription, key: string): Promise<SubscriptionSnapshot>;
  /** Ends at once, without a refund. */
  abstract endSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  /**
   * Refunds part of the current period's payment, at most the unrefunded amount, once for each key. @returns the cents
   * refunded under this key
   */
  abstract refundSubscription(id: string, amountCents: number, key: string): Promise<number>;
  /** Refunds what is left of a single payment, once. Nothing of one that is unpaid, refunded or disputed. */
  abstract refundPayment(id: string, key: string): Promise<void>;
  /**
   * Verifies the signature of an event, at most 300 s old, over the raw body.
   * @returns null for an invalid signature
   */
  abstract readEvent(rawBody: Buffer, headers: EventHeaders): Promise<ProviderEvent | null>;
}
