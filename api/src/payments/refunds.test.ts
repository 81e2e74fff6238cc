import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const creditsAre = (customer: Customer, credits: number) =>
  until(async () => (await customer.credits()) === credits, `${credits} credits`);
const eventsOf = (paymentId: string) =>
  api.sql<{ isProcessed: boolean }>(
    'SELECT processed_at IS NOT NULL AS "isProcessed" FROM webhook_events WHERE subject_id = $1',
    [paymentId],
  );
const deliverEvents = async (paymentId: string): Promise<void> => {
  await controlsOf(api).webhooks('sent');
  await controlsOf(api).deliverEvents();
  await until(async () => {
    const events = await eventsOf(paymentId);
    return events.length > 0 && events.every(({ isProcessed }) => isProcessed);
  }, 'the events');
};

describe('a pack bought by card', () => {
  it('loses a download for each third that is refunded, and none again with a dispute', async () => {
    const member = await Customer.member(api);
    const id = await member.buy();
    await controlsOf(api).refundPayment(id, 333);
    await creditsAre(member, 2);
    await controlsOf(api).refundPayment(id, 666);
    await creditsAre(member, 0);
    await member.buy();
    await controlsOf(api).dispute(id);
    await deliverEvents(id);
    expect(await member.credits()).toBe(3);
  });

  it('that is refunded before its events come grants nothing by them', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    const id = await member.buy();
    expect(await member.credits()).toBe(3);
    await controlsOf(api).refundPayment(id, 999);
    await deliverEvents(id);
    expect(await member.credits()).toBe(0);
  });

  it('of an erased account is unknown to its late events', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    const id = await member.buy();
    await member.visitor.delete('/users/@me').expect(204);
    await deliverEvents(id);
    const owned = 'SELECT FROM payments WHERE provider_id = $1 AND user_id IS NOT NULL';
    expect(await api.sql(owned, [id])).toEqual([]);
  });
});
