import { CURRENCIES, type Currency } from '@clearframe/contract';
import { z } from 'zod';

const Money = z.object({ currency_code: z.string(), value: z.string() });
export type Money = z.infer<typeof Money>;

const Time = z.coerce.date();

export const Subscription = z.object({
  id: z.string(),
  status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
  status_update_time: Time.optional(),
  plan_id: z.string(),
  custom_id: z.string().optional(),
  create_time: Time.optional(),
  start_time: Time,
  subscriber: z.object({ payer_id: z.string().optional() }).optional(),
  billing_info: z
    .object({
      last_payment: z.object({ amount: Money, time: Time }).optional(),
      next_billing_time: Time.optional(),
      failed_payments_count: z.number().optional(),
    })
    .optional(),
});
export type Subscription = z.infer<typeof Subscription>;

const Transaction = z.object({
  id: z.string(),
  status: z.string().optional(),
  amount_with_breakdown: z.object({ gross_amount: Money }),
  time: Time,
});
export type Transaction = z.infer<typeof Transaction>;

export const Transactions = z.object({ transactions: z.array(Transaction).optional() });

const Refund = z.object({ amount: Money, custom_id: z.string().optional(), status: z.string().optional() });
export const CreatedRefund = Refund.partial();

export const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Money,
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
});

export const Order = z.object({
  id: z.string(),
  intent: z.string(),
  status: z.string(),
  purchase_units: z.array(
    z.object({
      amount: Money,
      custom_id: z.string().optional(),
      payee: z.object({ merchant_id: z.string().optional() }).optional(),
      payments: z.object({ captures: z.array(Capture).optional(), refunds: z.array(Refund).optional() }).optional(),
    }),
  ),
  payer: z.object({ email_address: z.string().optional() }).optional(),
});
export type Order = z.infer<typeof Order>;

const Plan = z.object({
  id: z.string(),
  billing_cycles: z
    .array(
      z.object({
        tenure_type: z.string(),
        frequency: z.object({ interval_unit: z.string(), interval_count: z.number().default(1) }),
        pricing_scheme: z.object({ fixed_price: Money.optional() }).optional(),
        total_cycles: z.number().optional(),
      }),
    )
    .default([]),
});
export type Plan = z.infer<typeof Plan>;
export const Plans = z.object({ plans: z.array(Plan).default([]) });

export const Event = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.record(z.string(), z.unknown()).default({}),
});
export type Event = z.infer<typeof Event>;

export const Events = z.object({
  events: z.array(Event).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

export const Verification = z.object({ verification_status: z.string() });

export const currencyOf = ({ currency_code: code }: Money): Currency | null =>
  CURRENCIES.find((known) => known.toUpperCase() === code) ?? null;

export const centsOf = ({ value }: Money): number => Math.round(Number(value) * 100);

export const moneyOf = (cents: number, currencyCode: string): Money => ({
  currency_code: currencyCode,
  value: (cents / 100).toFixed(2),
});
