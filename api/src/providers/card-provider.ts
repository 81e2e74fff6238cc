import type { Currency } from '@clearframe/contract';
import { type KnownSubscription, PaymentProvider, type SubscriptionSnapshot } from './payment-provider.js';

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
