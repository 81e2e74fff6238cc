import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For mail codes, which anyone may request by address. */
export class EmailLookups1764020000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX users_verified_email ON users (lower(email)) WHERE email_verified');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX users_verified_email');
  }
}
