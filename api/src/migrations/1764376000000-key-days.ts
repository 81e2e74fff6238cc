import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `key_days` counts what keys have had made, by the day on which it ended (UTC). `key_runs`, before `key_usage`, has the
 * runs that have not ended. The sizes of earlier results are not known.
 */
const UP = `
  CREATE TABLE key_days (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    key_id uuid NOT NULL REFERENCES plugin_keys ON DELETE CASCADE,
    pictures int NOT NULL DEFAULT 0,
    videos int NOT NULL DEFAULT 0,
    pixels bigint NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, day, key_id)
  );
  WITH ended AS (
    DELETE FROM key_usage u WHERE NOT EXISTS (
      SELECT FROM runs r WHERE r.id = u.run_id AND r.status IN ('waiting', 'dispatched'))
    RETURNING u.*
  )
  INSERT INTO key_days (user_id, day, key_id, pictures, videos)
  SELECT user_id, (accepted_at AT TIME ZONE 'UTC')::date, key_id, count(*) FILTER (WHERE media_type = 'image'),
    count(*) FILTER (WHERE media_type = 'video')
  FROM ended WHERE key_id IS NOT NULL GROUP BY 1, 2, 3;
  ALTER TABLE key_usage RENAME TO key_runs;
  ALTER TABLE key_runs DROP tools;
`;

const DOWN = `
  ALTER TABLE key_runs ADD tools text[] NOT NULL DEFAULT '{}';
  ALTER TABLE key_runs RENAME TO key_usage;
  DROP TABLE key_days;
`;

export class KeyDays1764376000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
