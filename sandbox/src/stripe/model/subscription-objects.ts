import type { Currency } from '@clearframe/contract';
import type { Base, Created, Metadata, StripeList } from './object-base.js';

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

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';

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
