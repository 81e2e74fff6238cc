import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { INTERVAL_UNITS } from '../plans/intervals.js';
import { repeatable } from './repeatable.js';

/** `id` is the catalogue's id; requests use `priceId`. */
export const Price = z
  .object({
    id: z.string(),
    priceId: z.string(),
    amountCents: z.int(),
    currency: z.enum(CURRENCIES),
    /** Both null for a one-time price. */
    recurringInterval: z.enum(INTERVAL_UNITS).nullable(),
    recurringIntervalCount: z.int().nullable(),
    /** Null is unlimited. */
    exports: z.int().nullable(),
    /** PayPal plans with and without a free trial; null where there is none. */
    paypalPlanId: z.string().nullable(),
    paypalPlanNoFtId: z.string().nullable(),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof Price>;

/** Prices by id. */
export const priceRoutes = {
  listPrices: defineRoute({
    method: 'GET',
    path: '/stripe/prices',
    tag: 'billing',
    summary: 'List prices by id, in the requested order',
    allow: 'anyone',
    query: z.object({
      /** Repeatable. */
      priceId: repeatable(z.string().min(1).max(255), 100),
    }),
    responses: { 200: z.object({ prices: z.array(Price) }).meta({ id: 'Prices' }) },
    errors: ['prices.not_found'],
    limit: 'reads',
  }),
} as const;
