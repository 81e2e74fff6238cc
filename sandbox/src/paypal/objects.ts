import type { Currency } from '@clearframe/contract';
import type { Reader, Transaction } from '../core/ledger.js';

/** An amount in PayPal's notation: `9.99`, `USD`. */
export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: string;
}

export interface CycleExecution {
  readonly tenure_type: 'TRIAL' | 'REGULAR';
  readonly sequence: number;
  cycles_completed: number;
  readonly cycles_remaining: number;
  readonly total_cycles: number;
}

export interface BillingInfo {
  outstanding_balance: Money;
  readonly cycle_executions: CycleExecution[];
  last_payment?: { readonly amount: Money; readonly time: string };
  /** Absent after the end. */
  next_billing_time?: string | undefined;
  failed_payments_count: number;
  last_failed_payment?: { readonly amount: Money; readonly time: string; readonly reason_code: string } | undefined;
}

/** Addresses to which the approval page leads; null for an approval by PayPal's buttons. */
export interface ApprovalUrls {
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface Subscription {
  readonly id: string;
  status: 'APPROVAL_PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED';
  status_update_time: string;
  readonly plan_id: string;
  readonly custom_id: string;
  readonly quantity: '1';
  start_time: string;
  readonly create_time: string;
  update_time: string;
  readonly subscriber: { readonly email_address: string; readonly payer_id: string };
  readonly billing_info: BillingInfo;
  readonly links: readonly Link[];
  readonly _approval: ApprovalUrls | null;
  /** Unix time at which the running cycle began. */
  _cycleStart: number;
  _firstFailedAt: number | null;
  /** Reason why charges fail; null when they succeed. */
  _failure: string | null;
}

export interface Capture {
  readonly id: string;
  status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  readonly amount: Money;
  readonly custom_id: string;
  readonly final_capture: boolean;
  readonly supplementary_data?: { readonly related_ids: { readonly order_id: string } };
  readonly create_time: string;
  update_time: string;
  readonly links: readonly Link[];
  /** Order or subscription. */
  readonly _subject: string;
  readonly _amountCents: number;
  _refundedCents: number;
  _isDisputed: boolean;
  readonly _createdAt: number;
}

export interface Refund {
  readonly id: string;
  readonly status: 'COMPLETED';
  readonly amount: Money;
  readonly custom_id?: string;
  readonly seller_payable_breakdown: { readonly total_refunded_amount: Money };
  readonly create_time: string;
  readonly update_time: string;
  readonly links: readonly Link[];
  readonly _capture: string;
}

export interface PurchaseUnit {
  readonly reference_id: 'default';
  readonly amount: Money;
  readonly payee: { readonly merchant_id: string };
  readonly custom_id: string;
  payments?: { readonly captures: readonly unknown[]; readonly refunds?: readonly unknown[] };
}

export interface Order {
  readonly id: string;
  readonly intent: 'CAPTURE';
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly purchase_units: readonly [PurchaseUnit];
  payer?: { readonly email_address: string; readonly payer_id: string };
  readonly create_time: string;
  update_time: string;
  readonly links: readonly Link[];
  readonly _approval: ApprovalUrls | null;
}

export interface Stored {
  readonly subscription: Subscription;
  readonly order: Order;
  readonly capture: Capture;
  readonly refund: Refund;
}

/** Stripe's objects share the table. */
const typeOf = (kind: keyof Stored): string => `paypal.${kind}`;

export const findStored = <Kind extends keyof Stored>(
  reader: Reader,
  kind: Kind,
  id: string,
): Promise<Stored[Kind] | null> => reader.find(typeOf(kind), id);

export const listStored = <Kind extends keyof Stored>(
  reader: Reader,
  kind: Kind,
  filters: Readonly<Record<string, string>>,
): Promise<Stored[Kind][]> => reader.list(typeOf(kind), filters);

/** @param nextAt Unix time of the next scheduled change */
export async function saveStored<Kind extends keyof Stored>(
  tx: Transaction,
  kind: Kind,
  object: Stored[Kind],
  nextAt: number | null = null,
): Promise<Stored[Kind]> {
  await tx.save(typeOf(kind), object, nextAt);
  return object;
}

export const moneyOf = (cents: number, currency: Currency | string): Money => ({
  currency_code: currency.toUpperCase(),
  value: (cents / 100).toFixed(2),
});

export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');

export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** @param path from the root, or an address */
export const linkTo = (rel: string, path: string, method = 'GET'): Link => ({ href: path, rel, method });
