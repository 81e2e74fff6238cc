import type { MigrationInterface, QueryRunner } from 'typeorm';

const SCHEMA = `
  CREATE SEQUENCE billing_reads;
  CREATE SEQUENCE receipt_numbers;

  CREATE TABLE users (
    id uuid PRIMARY KEY,
    is_guest boolean NOT NULL,
    created_at timestamptz NOT NULL,
    firebase_uid text UNIQUE,
    email text,
    source text,
    preferences jsonb DEFAULT '{}'::jsonb NOT NULL,
    is_free boolean DEFAULT false NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    moved_at timestamptz,
    language text,
    marketing_consent_at timestamptz,
    image_training_consent_at timestamptz,
    CONSTRAINT users_signed_in CHECK (is_guest = (firebase_uid IS NULL)),
    CHECK (source IN ('google', 'facebook', 'apple'))
  );
  CREATE INDEX users_guests ON users (created_at, id) WHERE is_guest;
  CREATE INDEX users_verified_email ON users (lower(email)) WHERE email_verified;

  CREATE TABLE audit_entries (
    id uuid PRIMARY KEY,
    actor text NOT NULL,
    action text NOT NULL,
    details jsonb NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX audit_entries_actor ON audit_entries (actor);
  CREATE INDEX audit_entries_age ON audit_entries (created_at);

  CREATE TABLE billing_customers (
    user_id uuid PRIMARY KEY,
    customer_id text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE bulk_uploads (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX bulk_uploads_user ON bulk_uploads (user_id, created_at);

  CREATE TABLE checkouts (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    provider text NOT NULL,
    kind text NOT NULL,
    price_id text NOT NULL,
    intro_price_id text,
    trial boolean NOT NULL,
    task_id uuid,
    unlocked_exports int NOT NULL,
    version text,
    subscription_id uuid,
    custom_id text UNIQUE,
    created_at timestamptz NOT NULL,
    is_settled boolean DEFAULT false NOT NULL,
    checked_at timestamptz DEFAULT now() NOT NULL,
    checks int DEFAULT 0 NOT NULL,
    receipt_email text,
    next_check_at timestamptz DEFAULT (now() + interval '00:00:10'),
    CHECK (kind IN ('pack', 'subscribe', 'retry', 'upgrade', 'change_period')),
    CHECK (provider IN ('stripe', 'paypal')),
    CHECK (unlocked_exports >= 0)
  );
  CREATE INDEX checkouts_age ON checkouts (created_at);
  CREATE INDEX checkouts_open ON checkouts (checked_at) WHERE (custom_id IS NOT NULL) AND (NOT is_settled);
  CREATE INDEX checkouts_unsettled ON checkouts (created_at) WHERE (custom_id IS NOT NULL) AND (NOT is_settled);
  CREATE INDEX checkouts_user ON checkouts (user_id);

  CREATE TABLE consent_changes (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL,
    is_granted boolean NOT NULL,
    request_url text,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX consent_changes_user ON consent_changes (user_id, kind, created_at);

  CREATE TABLE credit_entries (
    id text PRIMARY KEY,
    user_id uuid NOT NULL,
    amount int NOT NULL,
    reason text NOT NULL,
    task_id uuid,
    payment_id uuid,
    created_at timestamptz NOT NULL,
    CHECK (amount <> 0),
    CHECK (reason IN ('purchase', 'export', 'return', 'forfeit', 'refund', 'dispute', 'settled'))
  );
  CREATE INDEX credit_entries_task ON credit_entries (task_id) WHERE task_id IS NOT NULL;
  CREATE INDEX credit_entries_user ON credit_entries (user_id);

  CREATE TABLE erased_identities (
    uid text PRIMARY KEY,
    erased_at timestamptz NOT NULL
  );

  CREATE TABLE experiments (
    id text PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    state text NOT NULL,
    segments jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    stopped_at timestamptz,
    CHECK (state IN ('draft', 'running', 'stopped'))
  );

  CREATE TABLE export_uses (
    task_id uuid PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    user_id uuid NOT NULL,
    source text NOT NULL,
    subscription_id uuid,
    period_start timestamptz,
    is_kept boolean NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK (source IN ('unlimited', 'period', 'credit'))
  );
  CREATE INDEX export_uses_period ON export_uses (subscription_id, period_start) WHERE source = 'period';
  CREATE INDEX export_uses_user ON export_uses (user_id);

  CREATE TABLE flag_overrides (
    name text PRIMARY KEY,
    value jsonb NOT NULL,
    updated_at timestamptz NOT NULL
  );

  CREATE TABLE forced_segments (
    local_storage_id text NOT NULL,
    experiment_id text NOT NULL REFERENCES experiments ON DELETE CASCADE,
    segment_id text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (local_storage_id, experiment_id)
  );
  CREATE INDEX forced_segments_experiment ON forced_segments (experiment_id);

  CREATE TABLE gift_codes (
    id uuid PRIMARY KEY,
    code_hash text NOT NULL UNIQUE,
    prefix text NOT NULL,
    days int,
    expires_at timestamptz,
    max_uses int NOT NULL,
    uses int DEFAULT 0 NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT gift_codes_check CHECK (uses <= max_uses),
    CONSTRAINT gift_codes_check1 CHECK ((days IS NOT NULL) OR (expires_at IS NOT NULL)),
    CHECK (days > 0),
    CHECK (max_uses > 0)
  );

  CREATE TABLE gift_redemptions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    code_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    starts_at timestamptz DEFAULT now() NOT NULL,
    UNIQUE (code_id, user_id)
  );
  CREATE INDEX gift_redemptions_user ON gift_redemptions (user_id);

  CREATE TABLE idempotency_keys (
    scope text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    status int,
    answer bytea,
    created_at timestamptz NOT NULL,
    token uuid DEFAULT gen_random_uuid() NOT NULL,
    held_until timestamptz DEFAULT (now() + interval '00:01:00') NOT NULL,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

  CREATE TABLE local_storage_ids (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    local_storage_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, local_storage_id)
  );

  CREATE TABLE mail_messages (
    id uuid PRIMARY KEY,
    idempotency_key text NOT NULL UNIQUE,
    recipient text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    attempts int DEFAULT 0 NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    sent_at timestamptz,
    created_at timestamptz NOT NULL,
    user_id uuid,
    kind text,
    sealed_body text,
    html text,
    language text
  );
  CREATE INDEX mail_messages_guests ON mail_messages (created_at) WHERE (kind = 'pictureReceipt') AND (recipient <> '');
  CREATE INDEX mail_messages_recipient ON mail_messages (lower(recipient));
  CREATE INDEX mail_messages_sealed ON mail_messages (created_at) WHERE sealed_body IS NOT NULL;
  CREATE INDEX mail_messages_unowned ON mail_messages (lower(recipient)) WHERE user_id IS NULL;
  CREATE INDEX mail_messages_user ON mail_messages (user_id);
  CREATE INDEX mail_messages_waiting ON mail_messages (next_attempt_at) WHERE sent_at IS NULL;

  CREATE TABLE payments (
    id uuid PRIMARY KEY,
    user_id uuid,
    provider text NOT NULL,
    provider_id text,
    customer_id text,
    price_id text NOT NULL,
    exports int NOT NULL,
    amount_cents int NOT NULL,
    currency text NOT NULL,
    task_id uuid,
    status text NOT NULL,
    refunded_cents int DEFAULT 0 NOT NULL,
    is_disputed boolean DEFAULT false NOT NULL,
    payer_email text,
    read_no bigint DEFAULT 0 NOT NULL,
    created_at timestamptz NOT NULL,
    settled_at timestamptz,
    checked_at timestamptz DEFAULT now() NOT NULL,
    checks int DEFAULT 0 NOT NULL,
    next_check_at timestamptz DEFAULT (now() + interval '00:00:10'),
    is_duplicate boolean DEFAULT false NOT NULL,
    CHECK (amount_cents > 0),
    CONSTRAINT payments_check CHECK ((refunded_cents >= 0) AND (refunded_cents <= amount_cents)),
    CHECK (exports > 0),
    CHECK (provider IN ('stripe', 'paypal')),
    CHECK (status IN ('pending', 'succeeded', 'failed', 'canceled')),
    UNIQUE (provider, provider_id)
  );
  CREATE INDEX payments_next_check ON payments (next_check_at)
    WHERE (status IN ('pending', 'failed')) AND (provider_id IS NOT NULL);
  CREATE INDEX payments_paid_task ON payments (settled_at) WHERE (status = 'succeeded') AND (task_id IS NOT NULL);
  CREATE INDEX payments_payer_email ON payments (created_at) WHERE payer_email IS NOT NULL;
  CREATE INDEX payments_pending ON payments (checked_at) WHERE status IN ('pending', 'failed');
  CREATE INDEX payments_refund_due ON payments (created_at)
    WHERE is_duplicate AND (NOT is_disputed) AND (refunded_cents < amount_cents);
  CREATE INDEX payments_user ON payments (user_id);

  CREATE TABLE pending_deletions (
    kind text NOT NULL,
    subject uuid NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    PRIMARY KEY (kind, subject)
  );
  CREATE INDEX pending_deletions_created ON pending_deletions (kind, created_at);

  CREATE TABLE plugin_keys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    prefix text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    scopes text[] NOT NULL,
    device_id text,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz
  );
  CREATE INDEX plugin_keys_user ON plugin_keys (user_id, created_at);

  CREATE TABLE receipts (
    number text PRIMARY KEY,
    charge text NOT NULL UNIQUE,
    payment_id uuid,
    subscription_id uuid,
    price_id text NOT NULL,
    amount_cents int NOT NULL,
    currency text NOT NULL,
    charged_at timestamptz NOT NULL,
    CHECK (amount_cents > 0),
    CONSTRAINT receipts_check CHECK (num_nonnulls(payment_id, subscription_id) = 1)
  );
  CREATE INDEX receipts_payment ON receipts (payment_id);
  CREATE INDEX receipts_subscription ON receipts (subscription_id);

  CREATE TABLE refused_approvals (
    provider_id text PRIMARY KEY,
    reason text NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE run_averages (
    kind text NOT NULL,
    size_class real NOT NULL,
    seconds real NOT NULL,
    samples int NOT NULL,
    PRIMARY KEY (kind, size_class)
  );

  CREATE TABLE run_durations (
    queue text NOT NULL,
    kind text NOT NULL,
    size_class real NOT NULL,
    seconds real NOT NULL,
    samples int NOT NULL,
    measured_at timestamptz DEFAULT now() NOT NULL,
    PRIMARY KEY (queue, kind, size_class)
  );

  CREATE TABLE runs (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    queue text NOT NULL,
    priority smallint NOT NULL,
    status text NOT NULL,
    progress real DEFAULT 0 NOT NULL,
    attempts int DEFAULT 0 NOT NULL,
    megapixels real,
    error_code text,
    created_at timestamptz NOT NULL,
    dispatched_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    progress_at timestamptz,
    progress_until real,
    progress_seconds real,
    estimated_seconds real,
    preview_keys jsonb,
    reason text,
    CONSTRAINT runs_check CHECK ((finished_at IS NULL) = (status IN ('waiting', 'dispatched'))),
    CHECK (estimated_seconds > 0),
    CHECK ((progress >= 0) AND (progress <= 1)),
    CHECK (status IN ('waiting', 'dispatched', 'completed', 'invalid', 'failed', 'cancelled'))
  ) WITH (fillfactor=80);
  CREATE INDEX runs_dispatched ON runs (queue, dispatched_at) WHERE status = 'dispatched';
  CREATE INDEX runs_last_dispatched ON runs (queue, dispatched_at) WHERE dispatched_at IS NOT NULL;
  CREATE INDEX runs_open ON runs (user_id) WHERE status IN ('waiting', 'dispatched');
  CREATE INDEX runs_subject ON runs (subject_id);
  CREATE INDEX runs_turns ON runs (queue, user_id, dispatched_at) WHERE dispatched_at IS NOT NULL;
  CREATE INDEX runs_user ON runs (user_id);
  CREATE INDEX runs_waiting ON runs (queue, user_id, priority, created_at, id) WHERE status = 'waiting';

  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  CREATE INDEX sessions_end ON sessions (LEAST(revoked_at, expires_at));
  CREATE INDEX sessions_user ON sessions (user_id);

  CREATE TABLE subscription_codes (
    hash bytea PRIMARY KEY,
    purpose text NOT NULL,
    subscription_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CHECK (purpose IN ('cancel', 'portal'))
  );
  CREATE INDEX subscription_codes_age ON subscription_codes (expires_at);
  CREATE INDEX subscription_codes_subscription ON subscription_codes (subscription_id);

  CREATE TABLE subscriptions (
    id uuid PRIMARY KEY,
    user_id uuid,
    provider text NOT NULL,
    provider_id text,
    customer_id text,
    price_id text NOT NULL,
    intro_price_id text,
    payment_method_id text,
    asks_trial boolean NOT NULL,
    status text NOT NULL,
    current_period_start timestamptz,
    current_period_end timestamptz,
    trial_end timestamptz,
    cancel_at_period_end boolean DEFAULT false NOT NULL,
    canceled_at timestamptz,
    ended_at timestamptz,
    has_intro boolean DEFAULT false NOT NULL,
    paid_cents int DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    is_disputed boolean DEFAULT false NOT NULL,
    forfeit_credits int DEFAULT 0 NOT NULL,
    forfeited_at timestamptz,
    replaces_id uuid,
    superseded_at timestamptz,
    previewed_at timestamptz,
    noticed_for timestamptz,
    read_no bigint DEFAULT 0 NOT NULL,
    created_at timestamptz NOT NULL,
    checked_at timestamptz DEFAULT now() NOT NULL,
    checks int DEFAULT 0 NOT NULL,
    next_check_at timestamptz DEFAULT (now() + interval '00:00:10'),
    first_charge_retried_at timestamptz,
    CHECK (forfeit_credits >= 0),
    CHECK (provider IN ('stripe', 'paypal', 'mobile')),
    CHECK (status IN ('pending', 'abandoned', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due',
      'paused', 'unpaid', 'canceled')),
    UNIQUE (provider, provider_id)
  );
  CREATE INDEX subscriptions_incomplete ON subscriptions (created_at) WHERE status = 'incomplete';
  CREATE INDEX subscriptions_next_check ON subscriptions (next_check_at) WHERE status = 'pending';
  CREATE INDEX subscriptions_open ON subscriptions (checked_at)
    WHERE status IN ('pending', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'unpaid');
  CREATE INDEX subscriptions_period_end ON subscriptions (current_period_end)
    WHERE (status IN ('trialing', 'active', 'past_due', 'paused', 'unpaid')) AND (provider <> 'mobile');
  CREATE INDEX subscriptions_renewal_notice ON subscriptions (current_period_end)
    WHERE (status = 'active') AND (price_id LIKE '%yearly%') AND (noticed_for IS DISTINCT FROM current_period_end);
  CREATE INDEX subscriptions_trial_reminder ON subscriptions (current_period_end)
    WHERE (status = 'trialing') AND (noticed_for IS DISTINCT FROM current_period_end);
  CREATE INDEX subscriptions_user ON subscriptions (user_id);

  CREATE TABLE support_deletions (
    request_id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX support_deletions_created ON support_deletions (created_at);

  CREATE TABLE support_requests (
    id uuid PRIMARY KEY,
    user_id uuid,
    name text NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    source text NOT NULL,
    device text NOT NULL,
    browser text NOT NULL,
    role text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    desk_id text,
    event_id text DEFAULT '' NOT NULL
  );
  CREATE INDEX support_requests_created ON support_requests (created_at);
  CREATE INDEX support_requests_email ON support_requests (lower(email));
  CREATE INDEX support_requests_unsent ON support_requests (created_at) WHERE sent_at IS NULL;
  CREATE INDEX support_requests_user ON support_requests (user_id);

  CREATE TABLE tasks (
    id uuid PRIMARY KEY,
    bulk_upload_id uuid NOT NULL REFERENCES bulk_uploads ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    position int NOT NULL,
    status text NOT NULL,
    ai_pipeline jsonb NOT NULL,
    output_content_type text NOT NULL,
    jpeg_quality int NOT NULL,
    file_name text,
    content_type text NOT NULL,
    declared_size_bytes int,
    sha256 text,
    size_bytes int,
    run_id uuid,
    rendition jsonb,
    outputs jsonb DEFAULT '[]'::jsonb NOT NULL,
    error_code text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    processing jsonb,
    exported_at timestamptz,
    export_format jsonb,
    upload_expires_at timestamptz,
    keep_location boolean DEFAULT false NOT NULL,
    looks jsonb,
    original_sha256 text,
    media_type text DEFAULT 'image' NOT NULL,
    video jsonb,
    CHECK (jpeg_quality IN (90, 100)),
    CHECK (media_type IN ('image', 'video')),
    CHECK (status IN ('started', 'uploading', 'processing', 'reprocessing', 'completed', 'exported', 'failed',
      'invalid', 'cancelled')),
    CONSTRAINT tasks_video CHECK ((video IS NOT NULL) = (media_type = 'video')),
    CONSTRAINT tasks_bulk_upload_id_position_key UNIQUE (bulk_upload_id, position)
  );
  CREATE INDEX tasks_expiry ON tasks (expires_at);
  CREATE INDEX tasks_upload_expiry ON tasks (upload_expires_at)
    WHERE (status IN ('started', 'uploading')) AND (size_bytes IS NULL);
  CREATE INDEX tasks_user ON tasks (user_id, created_at);
  CREATE INDEX tasks_user_status ON tasks (user_id, status, created_at, id);
  CREATE INDEX tasks_user_videos ON tasks (user_id, created_at, id) WHERE media_type = 'video';

  CREATE TABLE trial_uses (
    subscription_id uuid PRIMARY KEY,
    user_id uuid UNIQUE,
    fingerprint text UNIQUE,
    created_at timestamptz NOT NULL,
    fingerprint_hash text UNIQUE
  );

  CREATE TABLE upgrades (
    id uuid PRIMARY KEY,
    user_id uuid,
    old_subscription_id uuid NOT NULL,
    new_subscription_id uuid NOT NULL UNIQUE,
    step text NOT NULL,
    refund_cents int NOT NULL,
    refunded_cents int,
    created_at timestamptz NOT NULL,
    checked_at timestamptz DEFAULT now() NOT NULL,
    checks int DEFAULT 0 NOT NULL,
    next_check_at timestamptz DEFAULT (now() + interval '00:00:10'),
    CHECK (refund_cents >= 0),
    CHECK (step IN ('creating', 'ending', 'refunding', 'done', 'failed'))
  );
  CREATE INDEX upgrades_next_check ON upgrades (next_check_at) WHERE step NOT IN ('done', 'failed');
  CREATE UNIQUE INDEX upgrades_one_at_a_time ON upgrades (old_subscription_id) WHERE step <> 'failed';
  CREATE INDEX upgrades_open ON upgrades (checked_at) WHERE step NOT IN ('done', 'failed');

  CREATE TABLE video_uses (
    task_id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    week date NOT NULL,
    size_bytes bigint NOT NULL,
    seconds double precision NOT NULL,
    is_kept boolean NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK (seconds >= 0),
    CHECK (size_bytes >= 0)
  );
  CREATE INDEX video_uses_week ON video_uses (user_id, week);

  CREATE TABLE web_events (
    id uuid PRIMARY KEY,
    user_id uuid REFERENCES users ON DELETE CASCADE,
    client_id text,
    client_version text,
    is_tester boolean DEFAULT false NOT NULL,
    type text NOT NULL,
    subtype text,
    kind text NOT NULL,
    data jsonb NOT NULL,
    info jsonb DEFAULT '{}'::jsonb NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    ids jsonb DEFAULT '{}'::jsonb NOT NULL
  );
  CREATE INDEX web_events_created ON web_events (created_at);
  CREATE INDEX web_events_user ON web_events (user_id, occurred_at) WHERE user_id IS NOT NULL;

  CREATE TABLE web_onboardings (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    used_at timestamptz
  );

  CREATE TABLE webhook_events (
    sender text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    provider text,
    subject_kind text,
    subject_id text,
    received_at timestamptz NOT NULL,
    processed_at timestamptz,
    checked_at timestamptz DEFAULT now() NOT NULL,
    checks int DEFAULT 0 NOT NULL,
    PRIMARY KEY (sender, event_id)
  );
  CREATE INDEX webhook_events_age ON webhook_events (received_at);
  CREATE INDEX webhook_events_unprocessed ON webhook_events (received_at) WHERE processed_at IS NULL;
  CREATE INDEX webhook_events_waiting ON webhook_events (checked_at) WHERE processed_at IS NULL;

  CREATE TABLE work_attempts (
    kind text NOT NULL,
    subject text NOT NULL,
    attempts int NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    reason text,
    set_aside_at timestamptz,
    created_at timestamptz NOT NULL,
    CHECK (attempts >= 0),
    PRIMARY KEY (kind, subject)
  );

  CREATE TABLE gift_code_uses (
    code_id uuid NOT NULL REFERENCES gift_codes ON DELETE CASCADE,
    user_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (code_id, user_id)
  );
  CREATE INDEX gift_code_uses_user ON gift_code_uses (user_id);

  CREATE TABLE picture_links (
    hash bytea PRIMARY KEY,
    task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
    payment_id uuid NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX picture_links_task ON picture_links (task_id);

  CREATE TABLE renditions (
    id uuid PRIMARY KEY,
    task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
    output_run_id uuid,
    rendition jsonb NOT NULL,
    rendition_key text NOT NULL,
    is_export boolean NOT NULL,
    status text NOT NULL,
    image jsonb,
    created_at timestamptz NOT NULL,
    CONSTRAINT renditions_check CHECK ((status = 'ready') = (image IS NOT NULL)),
    CHECK (status IN ('pending', 'ready', 'failed'))
  );
  CREATE UNIQUE INDEX renditions_once ON renditions (task_id, rendition_key) WHERE status <> 'failed';
  CREATE INDEX renditions_task ON renditions (task_id);

  CREATE TABLE sharings (
    id text PRIMARY KEY,
    task_id uuid REFERENCES tasks ON DELETE CASCADE,
    preview jsonb,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX sharings_expired ON sharings (expires_at) WHERE task_id IS NULL;
  CREATE INDEX sharings_live ON sharings (expires_at) WHERE task_id IS NOT NULL;
  CREATE INDEX sharings_task ON sharings (task_id);
`;

/** The last of the migrations that this one replaces: a database that has it has this schema. */
const LAST_BEFORE = 'MeasuredDurations1764250000000';

export class Baseline1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const earlier: { name: string }[] = await queryRunner.query('SELECT name FROM migrations');
    if (earlier.some(({ name }) => name === LAST_BEFORE)) return;
    if (earlier.length > 0) {
      throw new Error(
        `The database was made by a development version before 0.1.0 and lacks ${LAST_BEFORE}: start with an empty one.`,
      );
    }
    await queryRunner.query(SCHEMA);
  }

  async down(): Promise<void> {
    throw new Error('the first migration is not reverted: drop the database');
  }
}
