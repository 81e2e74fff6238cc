import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `receipts.seller`: who sold, and at which VAT, when it was charged. Null for charges before, which invoices show as today's. */
export class ReceiptSellers1764386000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE receipts ADD seller jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE receipts DROP seller');
  }
}
