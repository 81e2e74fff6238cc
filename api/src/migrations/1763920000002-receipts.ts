import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One receipt for each charge: a purchase, or a paid period of a subscription. Names no person and survives erasure:
 * tax law requires amounts and dates.
 */
export class Receipts1763920000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE SEQUENCE receipt_numbers;
      CREATE TABLE receipts (
        number text PRIMARY KEY,
        charge text NOT NULL UNIQUE,
        payment_id uuid,
        subscription_id uuid,
        price_id text NOT NULL,
        amount_cents int NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        charged_at timestamptz NOT NULL,
        CHECK (num_nonnulls(payment_id, subscription_id) = 1)
      );
      CREATE INDEX receipts_payment ON receipts (payment_id);
      CREATE INDEX receipts_subscription ON receipts (subscription_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE receipts; DROP SEQUENCE receipt_numbers');
  }
}
