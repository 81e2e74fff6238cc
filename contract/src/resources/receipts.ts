import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { PAYMENT_PROVIDERS } from '../plans/may-buy.js';

/** A charge: of a pack or photo, or of a subscription's period. */
export const Receipt = z
  .object({
    /** As in the mail about the charge. */
    number: z.string(),
    chargedAt: z.iso.datetime(),
    /** Id of the price in the catalogue, see `priceOf`; an intro price's plan. */
    item: z.string(),
    amountCents: z.int(),
    /** Of a single purchase; 0 for the period of a subscription, whose refunds are announced by mail. */
    refundedCents: z.int(),
    currency: z.enum(CURRENCIES),
    provider: z.enum(PAYMENT_PROVIDERS),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;

/** Newest first. */
export const ReceiptList = z.object({ data: z.array(Receipt), hasMore: z.boolean() }).meta({ id: 'ReceiptList' });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** Receipts of the caller's charges, whichever provider took them. */
export const receiptRoutes = {
  listReceipts: defineRoute({
    method: 'GET',
    path: '/receipts',
    tag: 'billing',
    summary: "List the receipts of the caller's charges, newest first",
    allow: 'session',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** Number of a page's last receipt, to get the next page. */
      startingAfter: z.string().max(64).optional(),
    }),
    responses: { 200: ReceiptList },
    errors: [],
    limit: 'reads',
  }),
} as const;
