import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey, StripeSandbox } from '../../../test/support/billing/stripe-sandbox.js';
import { ProviderUnavailable } from '../payment-provider.js';

let sandbox: StripeSandbox;
beforeAll(async () => {
  sandbox = await StripeSandbox.start();
});
afterAll(() => sandbox.stop());

const order = async () => ({
  customerId: await sandbox.customer(),
  amountCents: 499,
  currency: 'usd' as const,
  reference: newKey(),
  key: newKey(),
});

describe('an idempotency key', () => {
  it('executes a request once, even concurrently', async () => {
    const request = { ...(await sandbox.cardHolder()), key: newKey(), reference: newKey() };
    const responses = await Promise.all(Array.from({ length: 5 }, () => sandbox.subscribe(request)));
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await sandbox.chargesOf(responses[0]?.id ?? '')).toHaveLength(1);
  });

  it('rejects other parameters', async () => {
    const request = await order();
    const first = await sandbox.cards.createPaymentIntent(request);
    expect(await sandbox.cards.createPaymentIntent(request)).toEqual(first);
    await expect(sandbox.cards.createPaymentIntent({ ...request, amountCents: 498 })).rejects.toMatchObject({
      cause: expect.any(Stripe.errors.StripeIdempotencyError),
    });
  });

  it('finds the result of a request whose response was lost', async () => {
    const request = { ...(await sandbox.cardHolder()), key: newKey(), reference: newKey() };
    // The SDK repeats a request once when the connection is closed.
    sandbox.server.faults.add({ operation: 'POST /v1/subscriptions', kind: 'drop_after', times: 2 });
    await expect(sandbox.subscribe(request)).rejects.toThrow(ProviderUnavailable);
    const [done, ...others] = await sandbox.cards.listSubscriptions(request.customerId);
    expect(await sandbox.subscribe(request)).toEqual(done);
    expect(others).toEqual([]);
  });

  it.each([429, 500, 503])('allows another attempt after a response of %s', async (status) => {
    const request = await order();
    sandbox.server.faults.add({ operation: 'POST /v1/payment_intents', kind: 'error', status, times: 1 });
    await expect(sandbox.cards.createPaymentIntent(request)).rejects.toThrow(ProviderUnavailable);
    expect(await sandbox.cards.createPaymentIntent(request)).toMatchObject({ id: expect.stringMatching(/^sbx_pi_/) });
  });
});
