import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Renditions1763820000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tasks
        ADD COLUMN processing jsonb,
        ADD COLUMN exported_at timestamptz,
        ADD COLUMN export_format jsonb;
      -- Results say under which order they were made; those from before were never previews.
      UPDATE tasks SET outputs = (
        SELECT coalesce(jsonb_agg(output || jsonb_build_object('order', rendition, 'isPreview', false)), '[]')
        FROM jsonb_array_elements(outputs) AS output
      );
      CREATE TABLE renditions (
        id uuid PRIMARY KEY,
        task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
        output_run_id uuid,
        rendition jsonb NOT NULL,
        rendition_key text NOT NULL,
        is_export boolean NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'ready', 'failed')),
        image jsonb,
        created_at timestamptz NOT NULL,
        CHECK ((status = 'ready') = (image IS NOT NULL))
      );
      CREATE INDEX renditions_task ON renditions (task_id);
      CREATE UNIQUE INDEX renditions_once ON renditions (task_id, rendition_key) WHERE status <> 'failed';
      CREATE INDEX renditions_pending ON renditions (created_at) WHERE status = 'pending';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE renditions;
      ALTER TABLE tasks DROP COLUMN processing, DROP COLUMN exported_at, DROP COLUMN export_format;
    `);
  }
}
