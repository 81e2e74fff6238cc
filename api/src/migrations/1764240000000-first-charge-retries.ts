import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first charge of an incomplete subscription is retried once. */
export class FirstChargeRetries1764240000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE subscriptions ADD COLUMN first_charge_retried_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE subscriptions DROP COLUMN first_charge_retried_at');
  }
}
