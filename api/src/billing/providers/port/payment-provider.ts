import type { Currency, SubscriptionStatus } from '@clearframe/contract';

/** Companies that take money. Rows and ledgers name them so, also while the sandbox plays their part. */
export type ProviderName = 'stripe' | 'paypal';

/** A subscription as its provider tells it. Times are the provider's; amounts are minor units. */
export interface SubscriptionSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  /** The provider's customer; null at the wallet, which knows a payer by {@link reference} only. */
  readonly customerId: string | null;
  /** What we called it at creation: our subscription row's id, or the wallet's `custom_id` (`{userId}-{suffix}`). */
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
  /** Really paid for the running period, less what was refunded of it. */
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Of the payment method; the same card always has the same one. Null where the provider has none. */
  readonly fingerprint: string | null;
}

/** A payment made once, as its provider tells it. */
export interface PaymentSnapshot {
  readonly id: string;
  readonly provider: ProviderName;
  readonly customerId: string | null;
  /** Whose it is: our payment row's id (`metadata.payment`), or the wallet's `custom_id` (`{userId}-{suffix}`). */
  readonly reference: string | null;
  /** `approved`: a wallet's order that the payer agreed to; no money moves until it is captured. */
  readonly status: 'pending' | 'approved' | 'succeeded' | 'failed' | 'canceled';
  readonly amountCents: number;
  readonly currency: Currency;
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  readonly payerEmail: string | null;
}

/** A payment method that was set up. */
export interface PaymentMethod {
  readonly id: string;
  /** Null until it was attached to anybody. */
  readonly customerId: string | null;
  readonly fingerprint: string | null;
}

/** What an event is about. Its body is never believed: the subject is read again. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: {
    readonly provider: ProviderName;
    readonly kind: 'subscription' | 'payment';
    readonly id: string;
  } | null;
}

/** A refusal by the provider that the payer can do something about (declined, no funds, needs a confirmation). */
export class PaymentDeclined extends Error {
  override readonly name = 'PaymentDeclined';
}

/** The provider could not be asked, or did not answer. The same call with the same key may be made again. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** What both kinds of provider can do. Reading answers null for what they do not know. */
export interface PaymentProvider {
  readonly name: ProviderName;
  readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  /** Reads a payment, and changes nothing. */
  readPayment(id: string): Promise<PaymentSnapshot | null>;
  /** Ends a subscription at once, without giving anything back. */
  endSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  /**
   * Gives back part of what was paid for the running period of a subscription, at most what is left of it. The same
   * key refunds once. Returns the cents that this key gave back.
   */
  refundSubscription(id: string, amountCents: number, key: string): Promise<number>;
  /**
   * Checks an event's signature over the raw body (at most 300 s old) and says what it is about.
   * @returns null when the signature is not good
   */
  readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null>;
}

/** Cards. Every POST takes a `key`: the same key does the same thing once. */
export abstract class CardProvider implements PaymentProvider {
  abstract readonly name: ProviderName;
  /** The key with which the provider's form runs in the browser. */
  abstract publishableKey(): string;
  /** The customer of a user; the same user always gets the same one. */
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
   * @throws PaymentDeclined only with `failIfUnpaid`; otherwise a first charge that fails leaves it `incomplete`
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
   * Pays the open invoice of a subscription that owes one (`incomplete`, `past_due`, `unpaid`) with a payment method of its
   * customer. An invoice is paid once: with nothing left to pay, nothing is charged. A method that paid becomes the
   * subscription's own; a declined one changes nothing. At Stripe: `invoices.pay(latest_invoice, {payment_method})`, then
   * `subscriptions.update(id, {default_payment_method})`; `card_declined` and `invoice already paid` are no errors here.
   * @returns the subscription afterwards, still owing when the method was declined
   */
  abstract payOpenInvoice(order: {
    readonly subscriptionId: string;
    readonly paymentMethodId: string;
    readonly key: string;
  }): Promise<SubscriptionSnapshot>;
  /**
   * Voids a subscription whose first invoice is still open, which makes it `incomplete_expired`. One that was paid in the
   * meantime stays as it is. At Stripe: `invoices.voidInvoice(latest_invoice)`, refused for a paid one, then `cancel`.
   */
  abstract voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  /** Every subscription of a customer, ended ones too, newest first. */
  abstract listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]>;
  /** Lets a subscription end with its period, or takes that back. */
  abstract setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot>;
  /** A one-time address of the provider's portal. */
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

/** A subscription or payment that a payer agreed to in the wallet. */
export type Approval = Pick<NonNullable<ProviderEvent['subject']>, 'kind' | 'id'>;

/** A wallet: subscriptions and orders are made by the payer there, and only read, captured and ended here. */
export abstract class WalletProvider implements PaymentProvider {
  abstract readonly name: ProviderName;
  /** The wallet's own page on which payers manage what is charged automatically; they log in there. */
  abstract readonly automaticPaymentsUrl: string;
  /** Takes the money of an approved order, once however often it is asked for; any other state is answered as it is. */
  abstract capturePayment(id: string, key: string): Promise<PaymentSnapshot>;
  /**
   * What was approved with a `custom_id`, for approvals whose return and event were both lost. At PayPal:
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
  /** The id that requests and settings name a price by. @throws Error for a price that is none */
  abstract idOf(price: string): string;
  /** The product's own name of what a card price or wallet plan is, or undefined. */
  abstract priceOf(providerId: string): string | undefined;
  /** The wallet's plans of a price, with and without a free trial; null where there is none. */
  abstract walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null };
}

/** The time that billing goes by. The sandbox's can be moved forward. */
export abstract class BillingClock {
  abstract now(): Promise<Date>;
}
