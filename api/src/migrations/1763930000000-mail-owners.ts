import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * User and kind of each message, for data exports and erasure. No foreign key to `users`: guests' rows may be deleted
 * before their mail.
 */
export class MailOwners1763930000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE mail_messages ADD COLUMN user_id uuid, ADD COLUMN kind text;
      CREATE INDEX mail_messages_user ON mail_messages (user_id);
      -- Found by address where no user is recorded.
      CREATE INDEX mail_messages_unowned ON mail_messages (lower(recipient)) WHERE user_id IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE mail_messages DROP COLUMN user_id, DROP COLUMN kind');
  }
}
