import type { Currency } from '@clearframe/contract';
import type { Reader, Transaction } from '../core/ledger.js';

/** The parts of Stripe's objects (API 2026-10-28.endive) that the product reads or shows. Times are Unix seconds. */
interface Base<Name extends string> {
  id: string;
  object: Name;
  livemode: false;
}

interface Created {
  created: number;
}

export type Metadata = Record<string, string>;

export interface StripeList<Item> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: Item[];
}

export interface Customer extends Base<'customer'>, Created {
  email: string | null;
  name: string | null;
  description: string | null;
  balance: 0;
  invoice_settings: { default_payment_method: string | null };
  metadata: Metadata;
}

export interface PaymentMethod extends Base<'payment_method'>, Created {
  type: 'card';
  /** Null for a card that wasn't saved. */
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string; country: string };
  metadata: Metadata;
  /** Reason why charges fail; null when they succeed. */
  _declineCode: string | null;
}

export interface StripeErrorBody {
  type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error';
  code?: string | undefined;
  decline_code?: string | undefined;
  message: string;
  param?: string | undefined;
}

type Action = { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string | null } } | null;

interface Intent<Name extends 'setup_intent' | 'payment_intent'> extends Base<Name>, Created {
  client_secret: string;
  customer: string | null;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  payment_method: string | null;
  next_action: Action;
  description: string | null;
  metadata: Metadata;
  payment_method_types: string[];
  _nextAt: number | null;
  /** Checkout session whose payer confirms it; null for a form in the browser. */
  _session: string | null;
}

export interface SetupIntent extends Intent<'setup_intent'> {
  usage: 'off_session' | 'on_session';
  last_setup_error: StripeErrorBody | null;
  latest_attempt: null;
}

export interface PaymentIntent extends Intent<'payment_intent'> {
  amount: number;
  amount_received: number;
  currency: Currency;
  latest_charge: string | null;
  last_payment_error: StripeErrorBody | null;
  receipt_email: string | null;
}

export interface Charge extends Base<'charge'>, Created {
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  refunded: boolean;
  captured: boolean;
  paid: boolean;
  disputed: boolean;
  status: 'succeeded' | 'failed';
  failure_code: string | null;
  currency: Currency;
  customer: string | null;
  payment_intent: string;
  payment_method: string;
  metadata: Metadata;
}

export interface Refund extends Base<'refund'>, Created {
  amount: number;
  currency: Currency;
  charge: string;
  payment_intent: string;
  reason: string | null;
  status: 'succeeded';
  metadata: Metadata;
}

export interface Dispute extends Base<'dispute'>, Created {
  amount: number;
  currency: Currency;
  charge: string;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'won';
  metadata: Metadata;
}

/** A hosted page. */
export interface CheckoutSession extends Base<'checkout.session'>, Created {
  mode: 'setup' | 'payment';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  customer: string;
  currency: Currency | null;
  amount_subtotal: number | null;
  amount_total: number | null;
  /** Intent of a payment, created when the payer submits the page. */
  payment_intent: string | null;
  setup_intent: string | null;
  success_url: string;
  cancel_url: string | null;
  /** Null once it isn't open. */
  url: string | null;
  expires_at: number;
  metadata: Metadata;
  _intentMetadata: Metadata;
}

export interface Price extends Base<'price'>, Created {
  active: boolean;
  currency: Currency;
  unit_amount: number;
  type: 'recurring' | 'one_time';
  recurring: { interval: 'week'; interval_count: number; usage_type: 'licensed'; trial_period_days: null } | null;
  product: string;
  lookup_key: string;
  nickname: string | null;
  metadata: Metadata;
}

export interface TrialOffer extends Base<'product_catalog.trial_offer'> {
  price: string;
  duration: { type: 'relative'; relative: { iterations: number } };
  end_behavior: { type: 'transition'; transition: { price: string } };
}

export interface SubscriptionItem extends Created {
  id: string;
  object: 'subscription_item';
  subscription: string;
  price: Price;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
  current_trial: { trial_offer: string; start_date: number; end_date: number } | null;
  metadata: Metadata;
}

type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';

export interface Subscription extends Base<'subscription'>, Created {
  customer: string;
  status: SubscriptionStatus;
  currency: Currency;
  start_date: number;
  billing_cycle_anchor: number;
  collection_method: 'charge_automatically';
  items: StripeList<SubscriptionItem>;
  default_payment_method: string | null;
  latest_invoice: string | null;
  pending_setup_intent: null;
  schedule: null;
  discounts: [];
  trial_start: number | null;
  trial_end: number | null;
  trial_settings: { end_behavior: { missing_payment_method: string } };
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  canceled_at: number | null;
  ended_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  metadata: Metadata;
  /** Price after an introductory period. */
  _nextPrice: string | null;
  /** Period end of the last notice. */
  _noticedFor: number | null;
  _failedAttempts: number;
  _firstFailedAt: number | null;
}

export interface InvoicePayment extends Created {
  id: string;
  object: 'invoice_payment';
  invoice: string;
  amount_requested: number;
  amount_paid: number | null;
  currency: Currency;
  is_default: true;
  status: 'open' | 'paid' | 'canceled';
  payment: { type: 'payment_intent'; payment_intent: string };
}

export interface Invoice extends Base<'invoice'>, Created {
  customer: string;
  currency: Currency;
  status: 'open' | 'paid' | 'void';
  billing_reason: 'subscription_create' | 'subscription_cycle';
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  subtotal: number;
  total: number;
  attempted: boolean;
  attempt_count: number;
  period_start: number;
  period_end: number;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { subscription: string; metadata: Metadata };
  };
  /** Included on request only. */
  payments: StripeList<InvoicePayment>;
  /** Included on request only. */
  confirmation_secret: { client_secret: string; type: 'payment_intent' } | null;
  metadata: Metadata;
}

export interface PortalSession extends Base<'billing_portal.session'>, Created {
  customer: string;
  return_url: string | null;
  url: string;
  /** SHA-256 of the token in the URL. */
  _tokenHash: string;
  _expiresAt: number;
}

export interface StripeObjects {
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  subscription: Subscription;
  invoice: Invoice;
  dispute: Dispute;
  'billing_portal.session': PortalSession;
  'checkout.session': CheckoutSession;
}

export type StripeObject = StripeObjects[keyof StripeObjects];

export const findObject = <Type extends keyof StripeObjects>(
  reader: Reader,
  type: Type,
  id: string,
): Promise<StripeObjects[Type] | null> => reader.find<StripeObjects[Type]>(type, id);

export const listObjects = <Type extends keyof StripeObjects>(
  reader: Reader,
  type: Type,
  filters?: Readonly<Record<string, string | undefined>>,
): Promise<StripeObjects[Type][]> => reader.list<StripeObjects[Type]>(type, filters);

export async function saveObject<Saved extends StripeObject>(
  tx: Transaction,
  object: Saved,
  nextAt: number | null = null,
): Promise<Saved> {
  await tx.save(object.object, object, nextAt);
  return object;
}
