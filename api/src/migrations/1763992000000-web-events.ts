import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Anonymous events name neither a user nor a client. */
export class WebEvents1763992000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE web_events (
        id uuid PRIMARY KEY,
        user_id uuid REFERENCES users ON DELETE CASCADE,
        client_id text,
        client_version text,
        is_tester boolean NOT NULL DEFAULT false,
        type text NOT NULL,
        subtype text,
        kind text NOT NULL,
        data jsonb NOT NULL,
        info jsonb NOT NULL DEFAULT '{}',
        occurred_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX web_events_user ON web_events (user_id, occurred_at) WHERE user_id IS NOT NULL;
      CREATE INDEX web_events_created ON web_events (created_at)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE web_events');
  }
}
