import { z } from 'zod';
import { type ApprovalRequest, returnUrlsOf } from '../payment-provider.js';
import type { PayPalClient } from './paypal-client.js';
import { moneyOf } from './paypal-shapes.js';

const Created = z.object({
  id: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});
/** Subscriptions have the first, orders with a payment source the second. */
const APPROVAL_LINKS = ['approve', 'payer-action'];

/**
 * Creates a subscription or order as PayPal's buttons do in the browser, for buyers without JavaScript.
 * @returns the address at which the payer approves it
 */
export async function createApproval(client: PayPalClient, approval: ApprovalRequest): Promise<string> {
  const { id, links } =
    approval.planId === null ? await createOrder(client, approval) : await subscribe(client, approval);
  const link = links.find(({ rel }) => APPROVAL_LINKS.includes(rel));
  if (!link) throw new Error(`PayPal has no approval link for ${id}`);
  return link.href;
}

function createOrder(client: PayPalClient, { amountCents, currency, customId, returnUrl, key }: ApprovalRequest) {
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: customId, amount: moneyOf(amountCents, currency.toUpperCase()) }],
    payment_source: {
      paypal: { experience_context: { ...contextOf(returnUrl), user_action: 'PAY_NOW' } },
    },
  };
  return client.post('/v2/checkout/orders', Created, { body, key });
}

function subscribe(client: PayPalClient, { planId, customId, returnUrl, key }: ApprovalRequest) {
  const application_context = { ...contextOf(returnUrl), user_action: 'SUBSCRIBE_NOW' };
  const body = { plan_id: planId, custom_id: customId, application_context };
  return client.post('/v1/billing/subscriptions', Created, { body, key });
}

function contextOf(returnUrl: string) {
  const { succeeded, canceled } = returnUrlsOf(returnUrl);
  return {
    return_url: succeeded,
    cancel_url: canceled,
    shipping_preference: 'NO_SHIPPING',
    brand_name: 'Clearframe',
  };
}
