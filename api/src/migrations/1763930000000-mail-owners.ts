import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records the user and kind of each message, so that data exports and erasure find it. Like the billing tables, it does
 * not reference `users`: guests' rows may go before their mail.
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
