import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Runs1763950000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE runs (
        id uuid PRIMARY KEY,
        kind text NOT NULL,
        -- The resource it is for; which table that is follows from the kind.
        subject_id uuid NOT NULL,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        queue text NOT NULL,
        priority smallint NOT NULL,
        status text NOT NULL CHECK (status IN ('waiting', 'dispatched', 'completed', 'invalid', 'failed', 'cancelled')),
        progress real NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
        attempts int NOT NULL DEFAULT 0,
        megapixels real,
        error_code text,
        created_at timestamptz NOT NULL,
        dispatched_at timestamptz,
        started_at timestamptz,
        finished_at timestamptz,
        CHECK ((finished_at IS NULL) = (status IN ('waiting', 'dispatched')))
      -- Progress changes no index: such updates stay in the page.
      ) WITH (fillfactor = 80);
      CREATE INDEX runs_waiting ON runs (queue, user_id, priority, created_at, id) WHERE status = 'waiting';
      CREATE INDEX runs_dispatched ON runs (queue, dispatched_at) WHERE status = 'dispatched';
      CREATE INDEX runs_turns ON runs (queue, user_id, dispatched_at) WHERE dispatched_at IS NOT NULL;
      CREATE INDEX runs_open ON runs (user_id) WHERE status IN ('waiting', 'dispatched');
      CREATE INDEX runs_user ON runs (user_id);
      CREATE INDEX runs_subject ON runs (subject_id);

      CREATE TABLE run_averages (
        kind text NOT NULL,
        -- Upper bound of the size class in megapixels; 0 for all sizes together.
        size_class real NOT NULL,
        seconds real NOT NULL,
        samples int NOT NULL,
        PRIMARY KEY (kind, size_class)
      );

      INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at)
        SELECT run_id, 'image.enhance', id, user_id, 'images', 1, 'waiting', coalesce(queued_at, now())
        FROM tasks WHERE status IN ('processing', 'reprocessing') AND run_id IS NOT NULL;
      INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at)
        SELECT r.id, 'image.render', r.task_id, t.user_id, 'renders', 1, 'waiting', r.created_at
        FROM renditions r JOIN tasks t ON t.id = r.task_id WHERE r.status = 'pending';

      DROP TABLE outbox;
      DROP INDEX tasks_running, renditions_pending;
      ALTER TABLE tasks DROP COLUMN queued_at;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tasks ADD COLUMN queued_at timestamptz;
      UPDATE tasks SET queued_at = runs.created_at FROM runs WHERE runs.id = tasks.run_id;
      CREATE INDEX tasks_running ON tasks (queued_at) WHERE status IN ('processing', 'reprocessing');
      CREATE INDEX renditions_pending ON renditions (created_at) WHERE status = 'pending';
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        job text NOT NULL,
        job_id text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL
      );
      DROP TABLE runs, run_averages;
    `);
  }
}
