import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, price } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { CardProvider } from '../providers/payment-provider.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** A second subscription of a member, which the provider reports only now. */
async function addSubscription(member: Customer, name: string): Promise<string> {
  const [reference, userId] = [randomUUID(), await member.userId()];
  const [customer] = await api.sql<{ customer_id: string }>(
    'SELECT customer_id FROM billing_customers WHERE user_id = $1',
    [userId],
  );
  await api.sql(
    `INSERT INTO subscriptions (id, user_id, provider, customer_id, price_id, asks_trial, status, currency, created_at)
     VALUES ($1, $2, 'stripe', $3, $4, false, 'pending', 'usd', now())`,
    [reference, userId, customer?.customer_id, name],
  );
  const { id } = await api.app.get(CardProvider).createSubscription({
    customerId: customer?.customer_id ?? '',
    paymentMethodId: await member.method(),
    priceId: price(name),
    introPriceId: null,
    trialDays: null,
    reference,
    failIfUnpaid: true,
    key: randomUUID(),
  });
  await until(async () => (await idsOf(member)).includes(id), 'the second subscription');
  return id;
}

const listOf = async (member: Customer) => (await member.visitor.get('/subscriptions').expect(200)).body.data;
const idsOf = async (member: Customer): Promise<string[]> =>
  (await listOf(member)).map((one: { subscription_id: string }) => one.subscription_id);

describe('two subscriptions at one provider', () => {
  it('are both shown, the better one first, and each can be cancelled and restarted', async () => {
    const member = await Customer.member(api);
    const personal = await member.subscribe();
    const business = await addSubscription(member, 'business_weekly_usd');
    expect(await listOf(member)).toMatchObject([
      { provider: 'stripe', subscription_id: business, price_id: price('business_weekly_usd') },
      { provider: 'stripe', subscription_id: personal, price_id: price('personal_weekly_usd') },
    ]);
    const path = `/stripe/subscriptions?subscription_id=${personal}`;
    const { body } = await member.visitor.delete(path).expect(200);
    expect(body).toMatchObject({ subscription_id: personal, has_been_canceled: true });
    expect(await listOf(member)).toMatchObject([{ has_been_canceled: false }, { has_been_canceled: true }]);
    await member.visitor.post(path.replace('subscriptions', 'subscriptions/restart')).expect(200);
    expect((await member.visitor.get(path).expect(200)).body).toMatchObject({ has_been_canceled: false });
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(await listOf(member)).toMatchObject([{ has_been_canceled: true }, { has_been_canceled: false }]);
  });
});

describe('open subscriptions', () => {
  it('include an unpaid one, but not those of other users', async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    expect(await listOf(member)).toEqual([]);
    await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    expect(await listOf(member)).toMatchObject([{ status: 'incomplete' }]);
    const [id] = await idsOf(member);
    const response = await other.visitor.delete(`/stripe/subscriptions?subscription_id=${id}`);
    expect([response.status, response.body.error_code]).toEqual([404, 'subscriptions.not_found']);
  });
});
