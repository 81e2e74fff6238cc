import { expect } from 'vitest';
import type { TestApi } from '../application.js';
import { controlsOf, faultsOf } from '../billing/customer.js';
import { retryNow } from '../scheduled.js';
import { until } from '../until.js';

const SETTLE_DEADLINE_MS = 240_000;

/** Delivers every event and runs due work until nothing is left to do. */
export async function settle(api: TestApi): Promise<void> {
  faultsOf(api).reconnect();
  await controlsOf(api).deliverEvents();
  await until(
    async () => {
      for (const table of ['payments', 'subscriptions', 'upgrades']) {
        await api.sql(`UPDATE ${table} SET next_check_at = now()`);
      }
      await api.sql(`UPDATE webhook_events SET received_at = now() - interval '10 seconds' WHERE processed_at IS NULL`);
      await retryNow(api);
      const [left] = await api.sql<{ count: number }>(
        `SELECT (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)
              + (SELECT count(*) FROM upgrades u JOIN subscriptions s ON s.id = u.new_subscription_id
                 WHERE u.step NOT IN ('done', 'failed') AND (u.step <> 'creating' OR s.provider_id IS NOT NULL))
              + (SELECT count(*) FROM payments WHERE is_duplicate AND NOT is_disputed AND refunded_cents < amount_cents)
              + (SELECT count(*) FROM subscriptions WHERE status = 'pending' AND provider_id IS NOT NULL)
                ::int AS count`,
      );
      return Number(left?.count) === 0;
    },
    'all events and due work to be processed',
    SETTLE_DEADLINE_MS,
  );
}

export async function expectAgreement(api: TestApi): Promise<void> {
  const negative = await api.sql(
    'SELECT user_id, task_id FROM credit_entries GROUP BY user_id, task_id HAVING sum(amount) < 0',
  );
  expect(negative).toEqual([]);
  const unlike = await api.sql(
    `SELECT p.id FROM payments p JOIN ledger.intents i ON i.id = p.provider_id
     LEFT JOIN credit_entries c ON c.id = 'purchase:' || p.id
     WHERE (i.status = 'succeeded' AND NOT p.is_duplicate) <> (c.id IS NOT NULL)`,
  );
  expect(unlike).toEqual([]);
  const twice = await api.sql(
    `SELECT s.customer_id FROM ledger.subscriptions s WHERE s.ended_at IS NULL AND s.customer_id IS NOT NULL
     GROUP BY s.customer_id HAVING count(*) > 1`,
  );
  expect(twice).toEqual([]);
  const unknown = await api.sql(
    `SELECT s.id FROM ledger.subscriptions s LEFT JOIN subscriptions o ON o.provider_id = s.id
     WHERE s.provider = 'stripe' AND s.status IN ('active', 'trialing') AND (o.id IS NULL OR o.status <> s.status)`,
  );
  expect(unknown).toEqual([]);
  const unclaimed = await api.sql(
    `SELECT s.id FROM ledger.subscriptions s LEFT JOIN subscriptions o ON o.provider_id = s.id
     LEFT JOIN ledger.charges c ON c.subject_id = s.id AND c.failure_code IS NULL AND c.refunded_cents < c.amount_cents
     WHERE s.provider = 'paypal' AND o.id IS NULL AND (s.ended_at IS NULL OR c.id IS NOT NULL)`,
  );
  expect(unclaimed).toEqual([]);
  const uncaptured = await api.sql(
    `SELECT s.id FROM ledger.orders s LEFT JOIN payments p ON p.provider_id = s.id
     LEFT JOIN credit_entries c ON c.id = 'purchase:' || p.id
     WHERE (s.status = 'captured' AND NOT coalesce(p.is_duplicate, false)) <> (c.id IS NOT NULL)`,
  );
  expect(uncaptured).toEqual([]);
  const keptTwice = await api.sql(
    `SELECT p.id FROM payments p JOIN ledger.charges c ON c.subject_id = p.provider_id
     WHERE p.is_duplicate AND NOT p.is_disputed AND least(p.refunded_cents, c.refunded_cents) < p.amount_cents`,
  );
  expect(keptTwice).toEqual([]);
  const open = await api.sql(
    `SELECT user_id FROM subscriptions WHERE superseded_at IS NULL
       AND status IN ('pending', 'incomplete', 'trialing', 'active', 'past_due') AND provider_id IS NOT NULL
     GROUP BY user_id HAVING count(*) > 1`,
  );
  expect(open).toEqual([]);
  const tooMuch = await api.sql('SELECT FROM ledger.charges WHERE refunded_cents > amount_cents');
  expect(tooMuch).toEqual([]);
  const unspent = await api.sql(
    `SELECT e.task_id FROM export_uses e LEFT JOIN credit_entries c ON c.id = 'export:' || e.id
     WHERE (e.source = 'credit') <> (c.id IS NOT NULL)`,
  );
  expect(unspent).toEqual([]);
}
