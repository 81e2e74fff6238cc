import type { TestApi } from './application.js';

export interface StoredTable {
  /** Inserts a row of user `$1` with the text or id `$2`; absent when the tests' requests create one. */
  readonly seed?: string;
  /** The seeded text is stored as a hash, or omitted from exports. */
  readonly isHidden?: true;
  /** Guests have no rows, or rows that don't move at login. */
  readonly staysWithGuest?: true;
  /** Part of the data export that shows the table, or the reason why there is none. */
  readonly exported: { readonly as: string } | { readonly not: string };
  /** Why rows outlive the account, without reference to the user; absent when they are deleted. */
  readonly outlives?: string;
}

/** Tables without personal data, and why. */
export interface ImpersonalTable {
  readonly impersonal: string;
}

const TAX = 'tax law: amount, day and provider id, without a person';
const CASCADE = 'part of another row of the export';

/** A new table must be added here, with a seed if it stores personal data. */
export const STORED_TABLES: Readonly<Record<string, StoredTable | ImpersonalTable>> = {
  users: { exported: { as: 'user' } },
  sessions: { exported: { as: 'sessions' } },
  web_onboardings: {
    seed: `INSERT INTO web_onboardings (user_id, hash, created_at) VALUES ($1, sha256($2::text::bytea), now())`,
    isHidden: true,
    staysWithGuest: true,
    exported: { as: 'onboardings' },
  },
  consent_changes: {
    seed: `INSERT INTO consent_changes (id, user_id, kind, is_granted, request_url, created_at)
           VALUES (gen_random_uuid(), $1, 'marketing', true, 'https://clearframe.example/' || $2, now())`,
    exported: { as: 'consents' },
  },
  bulk_uploads: { exported: { not: CASCADE } },
  tasks: { exported: { as: 'tasks' } },
  renditions: {
    seed: `INSERT INTO renditions (id, task_id, rendition, rendition_key, is_export, status, created_at)
           SELECT $2::uuid, id, '{"contentType": "image/png", "jpegQuality": 90, "watermark": false, "maxSide": null}',
             $2::text, true, 'pending', now() FROM tasks WHERE user_id = $1 LIMIT 1`,
    exported: { not: CASCADE },
  },
  picture_links: {
    isHidden: true,
    seed: `INSERT INTO picture_links (hash, task_id, payment_id, created_at)
           SELECT sha256($2::text::bytea), id, $2::uuid, now() FROM tasks WHERE user_id = $1 LIMIT 1`,
    exported: { not: 'hashes of live secrets' },
  },
  remote_files: {
    isHidden: true,
    staysWithGuest: true,
    seed: `INSERT INTO remote_files (task_id, user_id, key_id, input_url, created_at)
           SELECT id, $1, gen_random_uuid(), $2::text, now() FROM tasks WHERE user_id = $1 LIMIT 1`,
    exported: { not: 'sealed addresses, until they have served' },
  },
  sharings: {
    seed: `INSERT INTO sharings (id, task_id, created_at, expires_at)
           SELECT $2::text, id, now(), now() + interval '14 days' FROM tasks WHERE user_id = $1 LIMIT 1`,
    exported: { as: 'sharings' },
  },
  idempotency_keys: { exported: { not: 'encrypted copies of responses, kept for 24 hours for retries' } },
  payments: {
    seed: `INSERT INTO payments (id, user_id, provider, provider_id, customer_id, price_id, exports, amount_cents,
             currency, task_id, status, payer_email, created_at)
           VALUES (gen_random_uuid(), $1, 'paypal', gen_random_uuid()::text, 'cus_' || $2, 'three_exports_usd', 3, 999,
             'usd', $2::uuid, 'succeeded', $2 || '@payer.example', now())`,
    exported: { as: 'payments' },
    outlives: TAX,
  },
  subscriptions: {
    seed: `INSERT INTO subscriptions (id, user_id, provider, provider_id, customer_id, price_id, payment_method_id,
             asks_trial, status, currency, created_at, ended_at)
           VALUES (gen_random_uuid(), $1, 'stripe', gen_random_uuid()::text, 'cus_' || $2, 'personal_weekly_usd',
             'pm_' || $2, false, 'canceled', 'usd', now(), now())`,
    staysWithGuest: true,
    exported: { as: 'subscriptions' },
    outlives: TAX,
  },
  runs: {
    seed: `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, finished_at)
           VALUES (gen_random_uuid(), 'image.enhance', $2::uuid, $1, 'images', 1, 'completed', now(), now())`,
    exported: { not: 'work on tasks, which are exported with their results' },
  },
  checkouts: {
    seed: `INSERT INTO checkouts (id, user_id, provider, kind, price_id, trial, task_id, unlocked_exports,
             receipt_email, created_at)
           VALUES (gen_random_uuid(), $1, 'stripe', 'pack', 'single_export_usd', false, $2::uuid, 1, $2 || '@mail.example',
             now())`,
    exported: { as: 'checkouts' },
  },
  receipts: {
    seed: `INSERT INTO receipts (number, charge, payment_id, price_id, amount_cents, currency, charged_at)
           SELECT $2, $2, id, price_id, amount_cents, currency, now() FROM payments WHERE user_id = $1 LIMIT 1`,
    exported: { as: 'receipts' },
    outlives: TAX,
  },
  subscription_codes: {
    seed: `INSERT INTO subscription_codes (hash, purpose, subscription_id, expires_at)
           SELECT sha256($2::text::bytea), 'cancel', id, now() + interval '1 hour' FROM subscriptions WHERE user_id = $1`,
    isHidden: true,
    staysWithGuest: true,
    exported: { not: 'hashes of live secrets' },
  },
  upgrades: {
    seed: `INSERT INTO upgrades (id, user_id, old_subscription_id, new_subscription_id, step, refund_cents, created_at)
           SELECT gen_random_uuid(), $1, id, $2::uuid, 'done', 0, now() FROM subscriptions WHERE user_id = $1`,
    isHidden: true,
    staysWithGuest: true,
    exported: { as: 'upgrades' },
    outlives: TAX,
  },
  credit_entries: {
    seed: `INSERT INTO credit_entries (id, user_id, amount, reason, created_at)
           VALUES ('purchase:' || $2, $1, 3, 'purchase', now())`,
    exported: { as: 'credit_entries' },
  },
  export_uses: {
    seed: `INSERT INTO export_uses (task_id, id, user_id, source, is_kept, created_at)
           VALUES ($2::uuid, gen_random_uuid(), $1, 'credit', true, now())`,
    exported: { as: 'downloads' },
  },
  trial_uses: {
    seed: `INSERT INTO trial_uses (subscription_id, user_id, fingerprint_hash, created_at)
           VALUES (gen_random_uuid(), $1, $2, now())`,
    staysWithGuest: true,
    exported: { as: 'trials' },
    outlives: 'one free trial for each card: a keyed hash of it, without a person',
  },
  gift_redemptions: {
    seed: `INSERT INTO gift_redemptions (id, user_id, code_id, starts_at, expires_at, created_at)
           VALUES (gen_random_uuid(), $1, $2::uuid, now(), now() + interval '1 day', now())`,
    exported: { as: 'gift_redemptions' },
  },
  gift_code_uses: {
    seed: `WITH code AS (INSERT INTO gift_codes (id, code_hash, prefix, days, max_uses, created_at)
             VALUES (gen_random_uuid(), $2, 'x', 7, 1, now()) RETURNING id)
           INSERT INTO gift_code_uses SELECT id, $1, now() FROM code`,
    exported: { not: 'shown as gift redemptions' },
  },
  video_uses: {
    seed: `INSERT INTO video_uses (task_id, user_id, week, size_bytes, seconds, is_kept, created_at)
           VALUES ($2::uuid, $1, '2026-03-02', 5000000000, 12.5, true, now())`,
    exported: { as: 'video_uses' },
  },
  billing_customers: {
    seed: `INSERT INTO billing_customers (user_id, customer_id, created_at) VALUES ($1, 'cus_' || $2, now())`,
    staysWithGuest: true,
    exported: { as: 'provider_customers' },
  },
  mail_messages: {
    seed: `INSERT INTO mail_messages (id, idempotency_key, user_id, kind, recipient, subject, body, next_attempt_at,
             created_at) VALUES ($2::uuid, $2, $1, 'receipt', $2 || '@mail.example', 'Receipt', 'Paid', now(), now())`,
    exported: { as: 'mail' },
  },
  web_events: {
    seed: `INSERT INTO web_events (id, user_id, type, kind, data, occurred_at, created_at)
           VALUES (gen_random_uuid(), $1, 'UserAction', 'paywall', jsonb_build_object('text', $2::text), now(), now())`,
    exported: { as: 'events' },
  },
  local_storage_ids: {
    seed: `INSERT INTO local_storage_ids (user_id, local_storage_id, created_at) VALUES ($1, $2, now())`,
    exported: { as: 'local_storage_ids' },
  },
  forced_segments: {
    seed: `WITH experiment AS (
             INSERT INTO experiments (id, name, description, state, segments, created_at)
             VALUES ('seeded', 'Seeded', '', 'draft', '[]', now())
             ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id)
           INSERT INTO forced_segments (local_storage_id, experiment_id, segment_id, created_at)
           SELECT local_storage_id, experiment.id, $2, now() FROM local_storage_ids, experiment WHERE user_id = $1`,
    exported: { as: 'forced_segments' },
  },
  experiments: { impersonal: 'experiments, not their visitors' },
  plugin_keys: {
    seed: `INSERT INTO plugin_keys (id, user_id, prefix, hash, scopes, device_id, created_at)
           VALUES (gen_random_uuid(), $1, 'cfk_abcdefgh', sha256($2::text::bytea), '{media:read}', $2, now())`,
    staysWithGuest: true,
    exported: { as: 'plugin_keys' },
  },
  key_runs: {
    seed: `INSERT INTO key_runs (run_id, user_id, key_id, is_test, media_type, accepted_at)
           VALUES ($2::uuid, $1, NULL, true, 'image', now())`,
    isHidden: true,
    staysWithGuest: true,
    exported: { not: 'counted in key_usage when they end' },
  },
  key_days: {
    seed: `INSERT INTO key_days (user_id, day, key_id, pictures)
           SELECT $1, '2026-01-01', id, 1 FROM plugin_keys WHERE user_id = $1 LIMIT 1`,
    isHidden: true,
    staysWithGuest: true,
    exported: { as: 'key_usage' },
  },
  key_months: {
    seed: `INSERT INTO key_months (user_id, key_id, month, used)
           SELECT $1, id, '2026-01-01', 1 FROM plugin_keys WHERE user_id = $1 LIMIT 1`,
    isHidden: true,
    staysWithGuest: true,
    exported: { not: 'counts of key_runs' },
  },
  test_days: {
    seed: `INSERT INTO test_days (user_id, day, used) VALUES ($1, current_date, 1)`,
    isHidden: true,
    staysWithGuest: true,
    exported: { not: 'counts of key_runs' },
  },
  webhook_endpoints: {
    seed: `INSERT INTO webhook_endpoints (id, user_id, url, events, secrets, created_at)
           VALUES (gen_random_uuid(), $1, 'https://hooks.example/' || $2, '{task.completed}', '[]', now())`,
    staysWithGuest: true,
    exported: { as: 'webhook_endpoints' },
  },
  webhook_messages: {
    seed: `INSERT INTO webhook_messages (user_id, type, subject_id, created_at, expanded_at)
           VALUES ($1, 'task.completed', $2::uuid, now(), now())`,
    isHidden: true,
    staysWithGuest: true,
    exported: { not: 'shown as webhook deliveries' },
  },
  webhook_deliveries: {
    seed: `INSERT INTO webhook_deliveries (id, message_id, endpoint_id, user_id, lane, url, status, created_at)
           SELECT gen_random_uuid(), m.id, w.id, $1, w.id::text, w.url || '/' || $2::text, 'delivered', now()
           FROM webhook_messages m, webhook_endpoints w WHERE m.user_id = $1 AND w.user_id = $1 LIMIT 1`,
    staysWithGuest: true,
    exported: { as: 'webhook_deliveries' },
  },
  upload_tokens: {
    isHidden: true,
    staysWithGuest: true,
    seed: `INSERT INTO upload_tokens (id, key_id, hash, expires_at)
           SELECT $2::uuid, id, sha256($2::text::bytea), now() FROM plugin_keys WHERE user_id = $1 LIMIT 1`,
    exported: { not: 'hashes of secrets that are valid for minutes' },
  },
  support_requests: {
    seed: `INSERT INTO support_requests (id, user_id, role, name, email, subject, body, source, device, browser, created_at)
           VALUES (gen_random_uuid(), $1, 'guest', 'Ada', $2 || '@mail.example', 'Help', 'Please', 'pricing', '', '', now())`,
    exported: { as: 'support_requests' },
  },
  audit_entries: {
    seed: `INSERT INTO audit_entries (id, actor, action, details, created_at)
           VALUES ($2::uuid, 'user:' || $1, 'secret_menu.check', jsonb_build_object('route', $2::text), now())`,
    exported: { as: 'staff_actions' },
    outlives: 'security: that staff rights were used, not by which account',
  },
  erased_identities: { exported: { not: 'present only after the account has gone, until the provider confirms' } },
  run_averages: { impersonal: 'mean durations, of earlier versions' },
  service_components: { impersonal: 'the state of each part of the service' },
  run_durations: { impersonal: 'mean durations' },
  gift_codes: { impersonal: 'codes, not their users' },
  flag_overrides: { impersonal: 'settings of the product' },
  refused_approvals: { impersonal: 'provider ids of wallet approvals that were refused, and why' },
  support_deletions: { impersonal: 'ids of deleted support requests, until the support desk confirms' },
  pending_deletions: { impersonal: 'ids of deleted mails and tasks, until their files are deleted' },
  work_attempts: { impersonal: 'ids of rows that scheduled work is about, and errors without addresses' },
  webhook_events: { impersonal: 'ids of events and provider objects, deleted by age' },
  migrations: { impersonal: 'the schema’s own' },
};

/** Payment providers keep their own ledgers. */
const isOfSandbox = (table: string): boolean => table.startsWith('sandbox_');

export async function tablesOf(api: TestApi): Promise<string[]> {
  const rows = await api.sql<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  return rows.map(({ table_name }) => table_name).filter((table) => !isOfSandbox(table));
}

/** Tables with one of these texts in any row. */
export async function tablesWith(api: TestApi, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tablesOf(api)) {
    const rows = await api.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t`);
    if (rows.some(({ row }) => texts.some((text) => row.includes(text)))) found.push(table);
  }
  return found;
}
