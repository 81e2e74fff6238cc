import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf, faultsOf } from '../../test/support/billing/customer.js';
import { expectNoRequestsInTransactions } from '../../test/support/open-transactions.js';
import { until } from '../../test/support/until.js';

const COUNT = 50;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const lockHolders = () =>
  api.sql<{ query: string }>(
    `SELECT a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE a.datname = current_database() AND pid <> pg_backend_pid() AND l.granted AND a.query NOT LIKE '%sandbox.%'
       AND (l.locktype = 'advisory' OR (l.locktype = 'relation' AND l.mode LIKE '%Exclusive%'))`,
  );

describe(`${COUNT} subscriptions started together`, () => {
  it('all start, each once, without a request in a transaction', { timeout: 900_000 }, async () => {
    const members: Customer[] = [];
    for (let count = 0; count < COUNT; count += 1) members.push(await Customer.member(api));
    const methods = await Promise.all(members.map((member) => member.method()));
    expectNoRequestsInTransactions();
    const responses = await Promise.all(
      members.map((member, index) =>
        member.requestSubscription('personal_weekly_usd', { method: methods[index] ?? '' }),
      ),
    );
    expect(responses.map(({ status, body }) => [status, body.status])).toEqual(Array(COUNT).fill([201, 'active']));
    await controlsOf(api).deliverEvents();
    const rows = await api.sql<{ count: string; charges: string }>(
      `SELECT count(DISTINCT s.id) AS count, count(c.id) AS charges FROM subscriptions s
       LEFT JOIN ledger.charges c ON c.subject_id = s.provider_id WHERE s.status = 'active' GROUP BY s.user_id`,
    );
    expect(rows).toEqual(Array(COUNT).fill({ count: '1', charges: '1' }));
    expectNoRequestsInTransactions();
  });
});

describe('while the provider takes its time', () => {
  it.each(['POST /v1/customers', 'POST /v1/subscriptions'])('no lock is held for %s', async (operation) => {
    const member = await Customer.member(api);
    const method = operation.endsWith('subscriptions') ? await member.method() : null;
    const { reached, release } = faultsOf(api).holdNextResponse(operation);
    const pending = method
      ? member.requestSubscription('personal_weekly_usd', { method })
      : member.visitor.post('/stripe/intents', {});
    const response = Promise.resolve(pending);
    await reached;
    // Other work of the process takes locks for a moment.
    await until(async () => (await lockHolders()).length === 0, 'no lock to be held');
    release();
    expect((await response).status).toBe(201);
  });
});
