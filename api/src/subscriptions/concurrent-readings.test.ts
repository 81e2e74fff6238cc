import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { CardProvider } from '../providers/payment-provider.js';

let api: TestApi;
beforeAll(async () => {
  // Without jobs, only the test reads from providers.
  api = await startApi({ API_ROLE: 'http' });
  await controlsOf(api).webhooks('withheld');
});
afterAll(() => api.stop());
afterEach(() => faultsOf(api).reconnect());

const resultOf = ({ status, body }: { status: number; body: { error_code?: string; status?: string } }) => [
  status,
  body.error_code ?? body.status,
];
const rowIdOf = async (member: Customer): Promise<string> => {
  const [row] = await api.sql<{ id: string }>(
    'SELECT id FROM subscriptions WHERE user_id = $1 AND replaces_id IS NULL',
    [await member.userId()],
  );
  return row?.id ?? '';
};
const read = async (member: Customer) => api.app.get(ProviderSync).subscription(await rowIdOf(member));
const cards = () => api.app.get(CardProvider);

describe('a change at the provider during which a reading starts that does not see it', () => {
  it('of an open invoice that is paid answers that it is paid', async () => {
    const member = await Customer.member(api);
    const declined = await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    expect(resultOf(declined)).toEqual([201, 'incomplete']);
    const method = await member.method();
    const beforePaying = faultsOf(api).holdNextResponse('GET /v1/subscriptions/{id}');
    const paying = member.requestSubscription('personal_weekly_usd', { method }).then(resultOf);
    await beforePaying.reached;
    await read(member);
    beforePaying.release();
    expect(await paying).toEqual([201, 'active']);
    expect((await member.me()).monetization.is_subscribed).toBe(true);
  });
});

describe('a cancelled subscription that was resumed in the portal, without an event', () => {
  it('is cancelled again', async () => {
    const member = await Customer.member(api);
    const id = await member.subscribe();
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await cards().setCancelAtPeriodEnd(id, false, `portal:${id}`);
    const { body } = await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(body.has_been_canceled).toBe(true);
    expect(await cards().readSubscription(id)).toMatchObject({ cancelAtPeriodEnd: true });
  });
});

describe('an upgrade whose response was lost', () => {
  it('is finished by subscribing to the new plan', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    faultsOf(api).loseNextResponse('POST /v1/subscriptions');
    const upgraded = await member.visitor.put('/stripe/subscriptions/upgrade', {
      new_price_id: price('business_weekly_usd'),
    });
    expect(resultOf(upgraded)).toEqual([503, 'service.unavailable']);
    const response = await member.requestSubscription('business_weekly_usd');
    expect(resultOf(response)).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999, 1999]);
  });
});
