import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Trials are recorded by a keyed hash that outlives the account. `api` has the key and replaces `fingerprint` by
 * `fingerprint_hash` at its start (StoredFingerprints); the plain column stays empty from then on.
 */
export class TrialMemory1763920000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE trial_uses ADD COLUMN fingerprint_hash text CONSTRAINT trial_uses_fingerprint_hash_key UNIQUE;
      ALTER TABLE trial_uses ALTER COLUMN user_id DROP NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM trial_uses WHERE user_id IS NULL;
      ALTER TABLE trial_uses ALTER COLUMN user_id SET NOT NULL;
      ALTER TABLE trial_uses DROP COLUMN fingerprint_hash;
    `);
  }
}
