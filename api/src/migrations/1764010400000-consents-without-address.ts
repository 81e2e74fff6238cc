import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A consent can be withdrawn without saying where. */
export class ConsentsWithoutAddress1764010400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE consent_changes ALTER COLUMN request_url DROP NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE consent_changes SET request_url = '' WHERE request_url IS NULL;
      ALTER TABLE consent_changes ALTER COLUMN request_url SET NOT NULL
    `);
  }
}
