import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks a photo's second payment, which is refunded. The index holds the refunds that are due. */
export class DuplicatePayments1763998000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE payments ADD COLUMN is_duplicate boolean NOT NULL DEFAULT false;
      CREATE INDEX payments_refund_due ON payments (created_at)
        WHERE is_duplicate AND NOT is_disputed AND refunded_cents < amount_cents;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments DROP COLUMN is_duplicate');
  }
}
