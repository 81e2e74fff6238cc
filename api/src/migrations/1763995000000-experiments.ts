import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assignments are computed; only what staff forces is stored. */
export class Experiments1763995000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE experiments (
        id text PRIMARY KEY,
        name text NOT NULL,
        description text NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'running', 'stopped')),
        segments jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        started_at timestamptz,
        stopped_at timestamptz
      );
      CREATE TABLE local_storage_ids (
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        local_storage_id text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, local_storage_id)
      );
      CREATE TABLE forced_segments (
        local_storage_id text NOT NULL,
        experiment_id text NOT NULL REFERENCES experiments ON DELETE CASCADE,
        segment_id text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (local_storage_id, experiment_id)
      );
      CREATE INDEX forced_segments_experiment ON forced_segments (experiment_id)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE forced_segments, local_storage_ids, experiments');
  }
}
