import { planPriceOf } from '@clearframe/contract';
import type { DatabaseClient } from '../../tests/support/product/database.ts';

const SESSIONS_EACH = 2;
const TASKS_EACH = 3;
/** Exports of every second user, who subscribes. */
const EXPORTS_EACH = 5;
const CREDIT_ENTRIES_EACH = 2;

export const emailOf = (n: number): string => `person-${n}@example.com`;

/**
 * Fills an empty database with members, sessions and pictures. The sandbox derives the same ids from their addresses,
 * so that they can log in.
 * @returns a description of the rows
 */
export async function seedUsers(client: DatabaseClient, count: number): Promise<string> {
  await client.query(
    `INSERT INTO users (id, is_guest, firebase_uid, email, email_verified, source, created_at)
     SELECT gen_random_uuid(), false,
            left(translate(encode(sha256(convert_to(email, 'UTF8')), 'base64'), '+/', '-_'), 28),
            email, true, 'google', now() - random() * interval '300 days'
     FROM (SELECT 'person-' || n || '@example.com' AS email FROM generate_series(0, $1::int - 1) n) addresses`,
    [count],
  );
  await client.query(
    `INSERT INTO sessions (id, user_id, created_at, expires_at, revoked_at)
     SELECT gen_random_uuid(), id, now(), now() + interval '30 days', CASE WHEN n > 1 THEN now() END
     FROM users, generate_series(1, $1::int) n`,
    [SESSIONS_EACH],
  );
  await client.query(
    'INSERT INTO bulk_uploads (id, user_id, created_at) SELECT gen_random_uuid(), id, now() FROM users',
  );
  await client.query(
    `INSERT INTO tasks (id, bulk_upload_id, user_id, position, status, ai_pipeline, output_content_type, jpeg_quality,
       content_type, created_at, expires_at)
     SELECT gen_random_uuid(), b.id, b.user_id, n, 'completed', '{}', 'image/jpeg', 90, 'image/jpeg', now(),
            now() + interval '30 days'
     FROM bulk_uploads b, generate_series(1, $1::int) n`,
    [TASKS_EACH],
  );
  await seedBilling(client);
  await client.query('VACUUM ANALYZE');
  const many = (number: number): string => number.toLocaleString('en-US');
  return [
    `${many(count)} users`,
    `${many(count * SESSIONS_EACH)} sessions`,
    `${many(count * TASKS_EACH)} tasks`,
    `${many(count / 2)} subscriptions with ${EXPORTS_EACH} downloads each`,
    `${many(count * CREDIT_ENTRIES_EACH)} entries of credits`,
  ].join(', ');
}

/** Nothing is due, so reconciliation calls no provider. */
async function seedBilling(client: DatabaseClient): Promise<void> {
  await client.query(
    `INSERT INTO subscriptions (id, user_id, provider, provider_id, price_id, asks_trial, status, current_period_start,
       current_period_end, currency, created_at, checked_at)
     SELECT gen_random_uuid(), id, 'stripe', 'seed_' || id, $1, false, 'active', date_trunc('day', now()),
            now() + interval '6 days', 'usd', now(), now() + interval '1 day'
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) numbered WHERE n % 2 = 0`,
    [planPriceOf('personal', 'weekly', 'usd').id],
  );
  await client.query(
    `INSERT INTO export_uses (task_id, id, user_id, source, subscription_id, period_start, is_kept, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), user_id, 'period', id, current_period_start, true, now()
     FROM subscriptions, generate_series(1, $1::int)`,
    [EXPORTS_EACH],
  );
  await client.query(
    `INSERT INTO credit_entries (id, user_id, amount, reason, created_at)
     SELECT 'seed:' || id || ':' || n, id, n, 'purchase', now() FROM users, generate_series(1, $1::int) n`,
    [CREDIT_ENTRIES_EACH],
  );
  await client.query(
    'INSERT INTO trial_uses (subscription_id, user_id, created_at) SELECT id, user_id, now() FROM subscriptions',
  );
}
