import type { Currency, SubscriptionStatus } from '@clearframe/contract';

/** Payment providers. Rows have these names also when the sandbox simulates them. */
export type ProviderName = 'stripe' | 'paypal';

/** A subscription as its provider returns it. Times are the provider's; amounts are minor units. */
export interface SubscriptionSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  /** The provider's customer; null at the wallet, which identifies the payer by {@link reference}. */
  readonly customerId: string | null;
  /** Our subscription row's id, or the wallet's `custom_id` (`{userId}-{suffix}`). */
  readonly reference: string | null;
  /** The provider's id of the price or wallet plan. */
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
  /** Paid for the current period, less refunds. */
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Of the payment method, the same for the same card; null where the provider has none. */
  readonly fingerprint: string | null;
}

/** A one-time payment as its provider returns it. */
export interface PaymentSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  readonly customerId: string | null;
  /** Our payment row's id (`metadata.payment`), or the wallet's `custom_id` (`{userId}-{suffix}`). */
  readonly reference: string | null;
  /** `approved`: a wallet order that the payer approved and that isn't captured. */
  readonly status: 'pending' | 'approved' | 'succeeded' | 'failed' | 'canceled';
  readonly amountCents: number;
  readonly currency: Currency;
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  readonly payerEmail: string | null;
}

/** A payment method after its setup. */
export interface PaymentMethod {
  readonly id: string;
  /** Null before it is attached to a customer. */
  readonly customerId: string | null;
  readonly fingerprint: string | null;
}

/** An event. Its body isn't trusted: the subject is read from the provider. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: {
    readonly provider: ProviderName;
    readonly kind: 'subscription' | 'payment';
    readonly id: string;
  } | null;
}

/** A refusal that the payer can resolve (declined, no funds, needs a confirmation). */
export class PaymentDeclined extends Error {
  override readonly name = 'PaymentDeclined';
}

/** The provider can't be reached or didn't respond. The same call with the same key can be repeated. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Methods of both kinds of provider. Reading returns null for unknown ids. */
export interface PaymentProvider {
  readonly name: ProviderName;
  readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  readPayment(id: string): Promise<PaymentSnapshot | null>;
  /** Ends a subscription at once, without a refund. */
  endSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  /**
   * Refunds part of the payment for the current period, at most the amount that isn't refunded. The same key refunds
   * once. @returns the cents refunded under this key
   */
  refundSubscription(id: string, amountCents: number, key: string): Promise<number>;
  /**
   * Verifies an event's signature over the raw body (at most 300 s old).
   * @returns null for an invalid signature
   */
  readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null>;
}

/** Cards. Every POST takes an idempotency `key`. */
export abstract class CardProvider implements PaymentProvider {
  abstract readonly name: ProviderName;
  /** The public key of the provider's form in the browser. */
  abstract publishableKey(): string;
  /** The customer of a user, always the same for the same user. */
  abstract ensureCustomer(user: { readonly id: string; readonly email: string | null }): Promise<string>;
  abstract createSetupIntent(customerId: string, key: string): Promise<{ readonly clientSecret: string }>;
  abstract readPaymentMethod(id: string): Promise<PaymentMethod | null>;
  abstract createPaymentIntent(order: {
    readonly customerId: string;
    readonly amountCents: number;
    readonly currency: Currency;
    readonly reference: string;
    readonly key: string;
  }): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /**
   * @throws PaymentDeclined only with `failIfUnpaid`; otherwise a failed first charge leaves it `incomplete`
   */
  abstract createSubscription(order: {
    readonly customerId: string;
    readonly paymentMethodId: string | null;
    readonly priceId: string;
    readonly introPriceId: string | null;
    readonly trialDays: number | null;
    readonly reference: string;
    readonly failIfUnpaid: boolean;
    readonly key: string;
  }): Promise<SubscriptionSnapshot>;
  /**
   * Pays the open invoice of a subscription (`incomplete`, `past_due`, `unpaid`) with a payment method of its customer, at
   * most once. A method that paid becomes the subscription's default; a declined one changes nothing. At Stripe: `invoices.pay(latest_invoice, {payment_method})`, then
   * `subscriptions.update(id, {default_payment_method})`; `card_declined` and `invoice already paid` are no errors here.
   * @returns the subscription, unpaid when the method was declined
   */
  abstract payOpenInvoice(order: {
    readonly subscriptionId: string;
    readonly paymentMethodId: string;
    readonly key: string;
  }): Promise<SubscriptionSnapshot>;
  /**
   * Voids a subscription whose first invoice is open, which makes it `incomplete_expired`. One that was paid meanwhile
   * stays. At Stripe: `invoices.voidInvoice(latest_invoice)`, refused for a paid one, then `cancel`.
   */
  abstract voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  /** All subscriptions of a customer, also ended ones, newest first. */
  abstract listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]>;
  /** Cancels a subscription at the end of its period, or reverts that. */
  abstract setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot>;
  /** A single-use URL of the provider's portal. */
  abstract openPortal(customerId: string): Promise<string>;
  abstract readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  abstract readPayment(id: string): Promise<PaymentSnapshot | null>;
  abstract endSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  abstract refundSubscription(id: string, amountCents: number, key: string): Promise<number>;
  abstract readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null>;
}

/** A subscription or payment that a payer approved in the wallet. */
export type Approval = Pick<NonNullable<ProviderEvent['subject']>, 'kind' | 'id'>;

/** A wallet: the payer creates subscriptions and orders there; they are read, captured and ended here. */
export abstract class WalletProvider implements PaymentProvider {
  abstract readonly name: ProviderName;
  /** The wallet's page on which payers manage automatic payments after a login. */
  abstract readonly automaticPaymentsUrl: string;
  /** Captures an approved order once; other states are returned unchanged. */
  abstract capturePayment(id: string, key: string): Promise<PaymentSnapshot>;
  /**
   * Approvals with a `custom_id`, for those whose return and event were lost. At PayPal:
   * `GET /v1/notifications/webhooks-events`, by the resource's `custom_id`.
   */
  abstract findApprovals(customId: string): Promise<readonly Approval[]>;
  abstract readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  abstract readPayment(id: string): Promise<PaymentSnapshot | null>;
  abstract endSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  abstract refundSubscription(id: string, amountCents: number, key: string): Promise<number>;
  abstract readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null>;
}

/** The provider's ids of our prices, and back. */
export abstract class ProviderPrices {
  /** The provider's id of a price. @throws Error for an unknown price */
  abstract idOf(price: string): string;
  /** The catalogue's id of a card price or wallet plan, or undefined. */
  abstract priceOf(providerId: string): string | undefined;
  /** The wallet's plans of a price, with and without a free trial; null for none. */
  abstract walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null };
}

/** The time of billing. The sandbox's can be moved forward. */
export abstract class BillingClock {
  abstract now(): Promise<Date>;
}
