import type { MigrationInterface, QueryRunner } from 'typeorm';

export class GiftStarts1763920000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE gift_redemptions ADD COLUMN starts_at timestamptz NOT NULL DEFAULT now();
      UPDATE gift_redemptions SET starts_at = created_at;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE gift_redemptions DROP COLUMN starts_at');
  }
}
