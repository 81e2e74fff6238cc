import { expect, it } from 'vitest';
import type { Order } from './paypal-shapes.js';
import { paymentSnapshot } from './paypal-snapshots.js';

const usd = (value: string) => ({ currency_code: 'USD', value });

const orderWith = (...refunds: { amount: ReturnType<typeof usd>; status?: string }[]): Order => ({
  id: 'o1',
  intent: 'CAPTURE',
  status: 'COMPLETED',
  purchase_units: [
    {
      amount: usd('9.99'),
      payee: { merchant_id: 'm1' },
      payments: { captures: [{ id: 'c1', status: 'PARTIALLY_REFUNDED', amount: usd('9.99') }], refunds },
    },
  ],
});

it('counts completed and pending refunds of an order, not those that failed or were cancelled', () => {
  const order = orderWith(
    { amount: usd('1.00'), status: 'COMPLETED' },
    { amount: usd('2.00'), status: 'PENDING' },
    { amount: usd('3.00'), status: 'FAILED' },
    { amount: usd('0.50'), status: 'CANCELLED' },
    { amount: usd('0.25') },
  );
  expect(paymentSnapshot(order, 'm1', new Set())?.refundedCents).toBe(325);
});
