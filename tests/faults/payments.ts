import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { startDroppedResponseProxy } from '../support/payments/dropped-response.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { environmentOf, withDatabase } from '../support/product/database.ts';
import { startApi } from '../support/product/services.ts';
import { until } from '../support/product/until.ts';
import type { Faults } from './faults.ts';

async function countCharges(databaseUrl: string): Promise<number> {
  const statement = `SELECT count(*)::int AS count FROM sandbox.objects WHERE type = 'charge'`;
  const { rows } = await withDatabase(databaseUrl, (client) => client.query<{ count: number }>(statement));
  return rows[0]?.count ?? 0;
}

export function testPayments(faults: Faults): void {
  it('charges once, and grants it, when the sandbox is killed between charge and answer', async () => {
    const { STRIPE_API_URL = '', DATABASE_URL = '' } = await environmentOf(faults.product, 'api');
    const killed = Promise.withResolvers<number>();
    const proxy = await startDroppedResponseProxy(STRIPE_API_URL, 'POST /v1/subscriptions', () =>
      faults.killer.kill('sandbox').then(killed.resolve, killed.reject),
    );
    const api = await startApi(faults.product, { STRIPE_API_URL: proxy.url });
    try {
      const account = await ApiClient.logIn(api.url, `${randomUUID()}@example.com`);
      const before = await countCharges(DATABASE_URL);
      await expect(subscribe(account, 'personal')).rejects.toMatchObject({ status: 503 });
      await faults.killer.untilReplaced('sandbox', await killed.promise);
      proxy.restore();
      await until('the subscription is known', async () => (await account.me()).monetization.isSubscribed);
      expect((await countCharges(DATABASE_URL)) - before).toBe(1);
    } finally {
      await api.stop();
      await proxy.stop();
    }
  });
}
