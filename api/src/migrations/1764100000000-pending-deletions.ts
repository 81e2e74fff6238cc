import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files whose rows are gone: they are removed after the commit, until that succeeds. */
export class PendingDeletions1764100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE pending_deletions (
        kind text NOT NULL,
        subject uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (kind, subject)
      );
      CREATE INDEX pending_deletions_created ON pending_deletions (kind, created_at)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE pending_deletions');
  }
}
