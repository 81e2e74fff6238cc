import type { Currency } from '@clearframe/contract';
import type { Base, Created, Metadata } from './object-base.js';

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
