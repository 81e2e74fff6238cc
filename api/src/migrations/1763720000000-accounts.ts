import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users
        ADD COLUMN firebase_uid text UNIQUE,
        ADD COLUMN email text,
        ADD COLUMN source text CHECK (source IN ('google', 'facebook', 'apple')),
        ADD COLUMN preferences jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN is_free boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT users_signed_in CHECK (is_guest = (firebase_uid IS NULL))
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users DROP CONSTRAINT users_signed_in, DROP COLUMN firebase_uid, DROP COLUMN email,
        DROP COLUMN source, DROP COLUMN preferences, DROP COLUMN is_free
    `);
  }
}
