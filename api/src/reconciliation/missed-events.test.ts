import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf, payWithoutWebhook } from '../../test/support/billing/customer.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { CardProvider } from '../providers/payment-provider.js';

let api: TestApi;
let customer: Customer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  customer = await Customer.member(api);
});

describe('a change without an event', () => {
  it('is found by the sweep', async () => {
    const paymentId = await payWithoutWebhook(customer);
    await api.sql(`UPDATE payments SET next_check_at = now() WHERE provider_id = $1`, [paymentId]);
    await until(async () => (await customer.credits()) === 3, 'the credits');
  });

  it('is found despite a payment whose read hangs and one whose read fails', async () => {
    const others = [await Customer.member(api), await Customer.member(api)] as const;
    const [hanging, bad, good] = [
      await payWithoutWebhook(others[0]),
      await payWithoutWebhook(others[1]),
      await payWithoutWebhook(customer),
    ];
    const cardProvider = api.app.get(CardProvider, { strict: false });
    const read = cardProvider.readPayment.bind(cardProvider);
    const released = Promise.withResolvers<null>();
    const spy = vi.spyOn(cardProvider, 'readPayment').mockImplementation((id) => {
      if (id === bad) throw new Error('no such shape');
      return id === hanging ? released.promise : read(id);
    });
    for (const id of [hanging, bad, good]) {
      await api.sql('UPDATE payments SET next_check_at = now() WHERE provider_id = $1', [id]);
    }
    await until(async () => (await customer.credits()) === 3, 'the credits of the good one');
    const failed = `SELECT reason FROM work_attempts JOIN payments ON subject = id::text
      WHERE kind = 'billing.payments.open' AND provider_id = $1 AND reason IS NOT NULL`;
    await until(async () => (await api.sql(failed, [bad])).length > 0, 'the reason of the bad one');
    spy.mockRestore();
    released.resolve(null);
    await until(async () => {
      await retryNow(api);
      await api.sql('UPDATE payments SET next_check_at = now() WHERE provider_id IN ($1, $2)', [hanging, bad]);
      return (await Promise.all(others.map((other) => other.credits()))).every((credits) => credits === 3);
    }, 'the credits of all');
  });
});

describe('a payment that is never paid', () => {
  it('is checked for a week, then only when an event arrives', async () => {
    const { payment_id, client_secret } = await customer.intent('three_exports_usd', 3);
    await controlsOf(api).webhooks('withheld');
    const state = async () =>
      (
        await api.sql<{ waits: boolean; checks: number }>(
          'SELECT next_check_at IS NOT NULL AS waits, checks FROM payments WHERE provider_id = $1',
          [payment_id],
        )
      )[0];
    await api.sql('UPDATE payments SET next_check_at = now() WHERE provider_id = $1', [payment_id]);
    await until(async () => (await state())?.checks === 1, 'the first reading');
    expect((await state())?.waits).toBe(true);
    const past = "now() - interval '8 days'";
    await api.sql(`UPDATE payments SET created_at = ${past}, next_check_at = now() WHERE provider_id = $1`, [
      payment_id,
    ]);
    await until(async () => (await state())?.waits === false, 'the last reading');
    await customer.pay(client_secret);
    await controlsOf(api).webhooks('sent');
    await until(async () => (await customer.credits()) === 3, 'the credits');
  });
});
