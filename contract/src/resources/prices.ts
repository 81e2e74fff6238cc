import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { INTERVAL_UNITS } from '../plans/intervals.js';
import { repeatable } from './repeatable.js';

/** `id` is the catalogue's id; requests use `priceId`. */
export const Price = z
  .object({
    id: z.string().describe('Id in the catalogue.'),
    priceId: z.string().describe('The provider’s id, which requests use.'),
    amountCents: z.int().describe('Amount in cents.'),
    currency: z.enum(CURRENCIES).describe('Currency of the amount.'),
    recurringInterval: z
      .enum(INTERVAL_UNITS)
      .nullable()
      .describe('Unit of the billing period; null for a one-time price.'),
    recurringIntervalCount: z.int().nullable().describe('Units of a billing period; null for a one-time price.'),
    exports: z.int().nullable().describe('Downloads; null: unlimited.'),
    paypalPlanId: z.string().nullable().describe('PayPal’s plan with a free trial; null where there is none.'),
    paypalPlanNoFtId: z.string().nullable().describe('PayPal’s plan without a free trial; null where there is none.'),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof Price>;

/** Prices by id. */
export const priceRoutes = {
  listPrices: defineRoute({
    method: 'GET',
    path: '/stripe/prices',
    tag: 'billing',
    summary: 'List prices',
    description: 'Returns prices by their ids, in the requested order.',
    allow: 'anyone',
    query: z.object({
      priceId: repeatable(z.string().min(1).max(255), 100).describe(
        'The provider’s id of a price. Can be sent up to 100 times.',
      ),
    }),
    responses: {
      200: z.object({ prices: z.array(Price).describe('The prices, in the requested order.') }).meta({ id: 'Prices' }),
    },
    errors: ['prices.not_found'],
    limit: 'reads',
  }),
} as const;
