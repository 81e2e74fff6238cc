import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which request holds a key, and until when. The defaults serve processes of the version before. */
export class IdempotencyClaims1764020000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE idempotency_keys
        ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN held_until timestamptz NOT NULL DEFAULT now() + interval '1 minute'
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys DROP COLUMN token, DROP COLUMN held_until');
  }
}
