import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events for customers. A trigger records them in the transaction that settles the task, whichever code settles it, for
 * users who have a row in `webhook_endpoints`; one without `url` stands for the callback addresses of requests.
 * `webhook_deliveries` are made from the events later.
 */
const UP = `
  ALTER TABLE bulk_uploads ADD callback_url text;

  CREATE TABLE webhook_endpoints (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    url text,
    events text[] NOT NULL,
    secrets jsonb NOT NULL,
    secret_shown_at timestamptz,
    disabled_reason text,
    failing_since timestamptz,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX webhook_endpoints_user ON webhook_endpoints (user_id, created_at);
  CREATE UNIQUE INDEX webhook_endpoints_callbacks ON webhook_endpoints (user_id) WHERE url IS NULL;
  CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;

  CREATE TABLE webhook_messages (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    seq bigint GENERATED ALWAYS AS IDENTITY,
    key text UNIQUE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    type text NOT NULL,
    subject_id uuid NOT NULL,
    bulk_upload_id uuid,
    data jsonb,
    created_at timestamptz NOT NULL,
    expanded_at timestamptz
  );
  CREATE INDEX webhook_messages_due ON webhook_messages (seq) WHERE expanded_at IS NULL;
  CREATE INDEX webhook_messages_upload ON webhook_messages (bulk_upload_id, seq) WHERE bulk_upload_id IS NOT NULL;
  CREATE INDEX webhook_messages_user ON webhook_messages (user_id);
  CREATE INDEX webhook_messages_created ON webhook_messages (created_at);

  CREATE TABLE webhook_deliveries (
    id uuid PRIMARY KEY,
    message_id uuid NOT NULL REFERENCES webhook_messages ON DELETE CASCADE,
    endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    user_id uuid NOT NULL,
    lane text NOT NULL,
    url text NOT NULL,
    status text NOT NULL,
    skip_reason text,
    tries int NOT NULL DEFAULT 0,
    attempts jsonb NOT NULL DEFAULT '[]',
    request text,
    next_attempt_at timestamptz,
    created_at timestamptz NOT NULL,
    UNIQUE (message_id, endpoint_id)
  );
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (lane, next_attempt_at) WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (lane) WHERE status = 'pending' AND tries > 0;
  CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, created_at, id);
  CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, created_at, id);

  -- A task that is reprocessed and reverts to its earlier result has failed if there is an error, else was cancelled.
  CREATE FUNCTION record_settled_task() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    task tasks := coalesce(NEW, OLD);
    happened text := CASE
      WHEN TG_OP = 'DELETE' OR NEW.status = 'cancelled' THEN 'cancelled'
      WHEN NEW.status IN ('failed', 'invalid') THEN 'failed'
      WHEN NEW.outputs IS DISTINCT FROM OLD.outputs
        OR NEW.video -> 'result' IS DISTINCT FROM OLD.video -> 'result' THEN 'completed'
      WHEN NEW.error_code IS NOT NULL THEN 'failed'
      ELSE 'cancelled' END;
  BEGIN
    INSERT INTO webhook_messages (user_id, type, subject_id, bulk_upload_id, created_at)
    SELECT task.user_id, CASE task.media_type WHEN 'video' THEN 'video.' ELSE 'task.' END || happened, task.id,
      task.bulk_upload_id, clock_timestamp()
    WHERE EXISTS (SELECT FROM webhook_endpoints WHERE user_id = task.user_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER tasks_settled AFTER UPDATE OF status ON tasks FOR EACH ROW
    WHEN (OLD.status IN ('started', 'uploading', 'processing', 'reprocessing')
      AND NEW.status IN ('completed', 'exported', 'failed', 'invalid', 'cancelled'))
    EXECUTE FUNCTION record_settled_task();
  CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks FOR EACH ROW
    WHEN (OLD.status IN ('started', 'uploading', 'processing', 'reprocessing'))
    EXECUTE FUNCTION record_settled_task();
`;

const DOWN = `
  DROP TRIGGER tasks_deleted ON tasks;
  DROP TRIGGER tasks_settled ON tasks;
  DROP FUNCTION record_settled_task;
  DROP TABLE webhook_deliveries, webhook_messages, webhook_endpoints;
  ALTER TABLE bulk_uploads DROP callback_url;
`;

export class WebhookEndpoints1764372100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
