import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { claimSql } from '../platform/schedule/work-claims.js';
import { USERS_WITH_EMAIL } from '../users/user.repository.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { BillingReconciler } from './billing-reconciler.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ API_ROLE: 'http' });
  // Years of data: nearly all rows are settled, few are due.
  await api.sql(`
    INSERT INTO payments (id, user_id, provider, provider_id, price_id, exports, amount_cents, currency, status, created_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'stripe', 'pi_' || n, 'three_exports_usd', 3, 999, 'usd', 'succeeded',
        now() - n * interval '1 minute' FROM generate_series(1, 20000) n;
    INSERT INTO subscriptions (id, user_id, provider, provider_id, price_id, asks_trial, status, currency, created_at,
        current_period_end)
      SELECT gen_random_uuid(), gen_random_uuid(), 'stripe', 'sub_' || n, 'personal_weekly_usd', false,
        CASE WHEN n % 3 = 0 THEN 'active' ELSE 'canceled' END, 'usd', now() - n * interval '1 minute',
        now() + n % 7 * interval '1 day' + interval '1 hour' FROM generate_series(1, 20000) n;
    INSERT INTO checkouts (id, user_id, provider, kind, price_id, trial, unlocked_exports, custom_id, is_settled, created_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'paypal', 'pack', 'three_exports_usd', false, 3, 'c-' || n, n % 9 = 0,
        now() - n * interval '5 minutes' FROM generate_series(1, 20000) n;
    INSERT INTO upgrades (id, user_id, old_subscription_id, new_subscription_id, step, refund_cents, created_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'done', 0, now()
        FROM generate_series(1, 20000);
    INSERT INTO webhook_events (sender, event_id, type, received_at, processed_at)
      SELECT 'stripe', 'evt_' || n, 'x', now() - n * interval '1 minute', now() FROM generate_series(1, 20000) n;
    INSERT INTO users (id, is_guest, firebase_uid, source, email, email_verified, preferences, is_free, created_at)
      SELECT gen_random_uuid(), false, 'uid-' || n, 'google', 'User' || n || '@example.com', true, '{}', false, now() FROM generate_series(1, 20000) n;
    ANALYZE users, payments, subscriptions, checkouts, upgrades, webhook_events, work_attempts`);
});
afterAll(() => api.stop());

it('finds due billing rows by an index, however many are settled', async () => {
  const sources = [BillingReconciler, WebhooksService].map((source) => api.app.get(source, { strict: false }));
  const work = sources.flatMap(({ scheduledWork }) => scheduledWork);
  expect(work.length).toBeGreaterThanOrEqual(9);
  const scanned: string[] = [];
  for (const { kind, due } of work) {
    const rows = await due();
    const [plan] = await api.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${claimSql(rows)}`, [
      ...(rows.values ?? []),
      kind,
      1000,
    ]);
    const nodes = plan ? nodesOf(plan['QUERY PLAN'][0].Plan) : [];
    expect(nodes.some((node) => node['Relation Name'] === rows.table)).toBe(true);
    if (nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === rows.table))
      scanned.push(kind);
  }
  expect(scanned).toEqual([]);
});

it('finds the users of an address by an index', async () => {
  const [plan] = await api.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${USERS_WITH_EMAIL}`, [
    'user7@example.com',
  ]);
  const nodes = plan ? nodesOf(plan['QUERY PLAN'][0].Plan) : [];
  expect(nodes.map((node) => node['Index Name'])).toContain('users_verified_email');
});
