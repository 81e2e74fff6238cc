import type { Currency, SubscriptionStatus } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
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

/** Addresses to which a provider's page leads back, as its form in the browser does. */
export function returnUrlsOf(returnUrl: string): { readonly succeeded: string; readonly canceled: string } {
  const start = `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}redirect_status=`;
  return { succeeded: `${start}succeeded`, canceled: `${start}canceled` };
}

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

export interface PaymentMethod {
  readonly id: string;
  readonly customerId: string | null;
  readonly fingerprint: string | null;
}

export interface SetupPage {
  readonly customerId: string;
  readonly returnUrl: string;
  readonly key: string;
}

export interface PaymentPage {
  readonly customerId: string;
  readonly priceId: string;
  readonly reference: string;
  readonly returnUrl: string;
  readonly key: string;
}

export interface PaymentOrder {
  readonly customerId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly reference: string;
  readonly key: string;
}

export interface CardSubscription {
  readonly customerId: string;
  readonly paymentMethodId: string | null;
  readonly priceId: string;
  readonly introPriceId: string | null;
  readonly trialDays: number | null;
  readonly reference: string;
  readonly failIfUnpaid: boolean;
  readonly key: string;
}

export interface InvoicePayment {
  readonly subscriptionId: string;
  readonly paymentMethodId: string;
  readonly key: string;
}

/** Subscriptions and payments are created here. */
export abstract class CardProvider extends PaymentProvider {
  override readonly cancelsAtPeriodEnd = true;
  override readonly needsApproval = false;
  abstract publishableKey(): string;
  /** The provider's form in the browser; null where it has none. */
  abstract browserForm(): { readonly publishableKey: string; readonly scriptUrl: string } | null;
  /**
   * The provider's own page on which a customer saves a payment method. It leads back to `returnUrl` with
   * `redirect_status` and, in `setup_intent`, an id for {@link readPaymentMethod}.
   */
  abstract createSetupPage(page: SetupPage): Promise<string>;
  /**
   * The provider's own page for a single payment. `id` represents the payment, also for {@link readPayment} and in
   * `payment_intent` of the return.
   */
  abstract createPaymentPage(page: PaymentPage): Promise<{ readonly id: string; readonly url: string }>;
  abstract isPaymentPage(id: string): boolean;
  /** Closes an unpaid intent or page; has no effect on a paid one. */
  abstract cancelPayment(id: string, key: string): Promise<void>;
  abstract ensureCustomer(user: { readonly id: string; readonly email: string | null }): Promise<string>;
  abstract createSetupIntent(customerId: string, key: string): Promise<{ readonly clientSecret: string }>;
  /** @param id of the method, or of what saved it: a setup intent or page. Null until it is saved */
  abstract readPaymentMethod(id: string): Promise<PaymentMethod | null>;
  abstract createPaymentIntent(order: PaymentOrder): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /**
   * @throws PaymentDeclined only with `failIfUnpaid`; otherwise a failed first charge leaves the subscription
   * `incomplete`
   */
  abstract createSubscription(order: CardSubscription): Promise<SubscriptionSnapshot>;
  /**
   * Pays an open invoice (`incomplete`, `past_due`, `unpaid`) with a payment method of its customer, at most once. A
   * method that paid becomes the default. At Stripe: `invoices.pay(latest_invoice, {payment_method})`, then
   * `subscriptions.update(id, {default_payment_method})`; `card_declined` and `invoice already paid` are not errors
   * here.
   * @returns the subscription, unpaid when the method was declined
   */
  abstract payOpenInvoice(order: InvoicePayment): Promise<SubscriptionSnapshot>;
  /**
   * Voids a subscription whose first invoice is open, which makes it `incomplete_expired`. A paid one is kept. At
   * Stripe: `invoices.voidInvoice(latest_invoice)`, rejected for a paid one, then `cancel`.
   */
  abstract voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot>;
  abstract listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]>;
  /** Cancels at the end of the period, or reverts that. */
  abstract setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot>;
  /** A single-use URL of the provider's portal. */
  abstract openPortal(customerId: string): Promise<string>;

  override cancelSubscription({ id, status }: KnownSubscription, key: string): Promise<SubscriptionSnapshot> {
    if (status === 'incomplete') return this.voidIncompleteSubscription(id, key);
    const isPaidFor = status === 'active' || status === 'trialing';
    return isPaidFor ? this.setCancelAtPeriodEnd(id, true, key) : this.endSubscription(id, key);
  }
}

export type Approval = Pick<NonNullable<ProviderEvent['subject']>, 'kind' | 'id'>;

export interface ApprovalRequest {
  readonly planId: string | null;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly customId: string;
  readonly returnUrl: string;
  readonly key: string;
}

/** Payers create subscriptions and orders in the wallet. */
export abstract class WalletProvider extends PaymentProvider {
  override readonly cancelsAtPeriodEnd = false;
  override readonly needsApproval = true;
  /** Where payers manage automatic payments after a login at the wallet. */
  abstract readonly automaticPaymentsUrl: string;
  abstract browserForm(): { readonly clientId: string; readonly scriptUrl: string } | null;
  /**
   * The wallet's own page, on which a payer approves a plan, or a single payment when there is no plan. It leads back to
   * `returnUrl` with `redirect_status` and the wallet's id, in `subscription_id` or `token`.
   */
  abstract approvalPage(approval: ApprovalRequest): Promise<string>;
  /** Captures an approved order once. Returns other states unchanged. */
  abstract capturePayment(id: string, key: string): Promise<PaymentSnapshot>;
  /**
   * Approvals with a `custom_id` whose return and event were lost. At PayPal: `GET /v1/notifications/webhooks-events`,
   * by the resource's `custom_id`.
   */
  abstract findApprovals(customId: string): Promise<readonly Approval[]>;

  override cancelSubscription({ id }: KnownSubscription, key: string): Promise<SubscriptionSnapshot> {
    return this.endSubscription(id, key);
  }
}

@Injectable()
export class PaymentProviders {
  constructor(
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
  ) {}

  of(name: ProviderName): CardProvider | WalletProvider {
    return name === this.wallet.name ? this.wallet : this.cards;
  }
}
