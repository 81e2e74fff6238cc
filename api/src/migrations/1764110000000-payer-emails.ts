import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For retention, which deletes the addresses of payers. */
export class PayerEmails1764110000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX payments_payer_email ON payments (created_at) WHERE payer_email IS NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX payments_payer_email');
  }
}
