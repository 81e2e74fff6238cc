import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Encrypted bodies of messages with codes and links. `next_attempt_at` becomes the earliest time of sending; attempts
 * are counted in `work_attempts`.
 */
export class MailSecrets1763940000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE mail_messages ADD COLUMN sealed_body text;
      ALTER TABLE mail_messages ALTER COLUMN attempts SET DEFAULT 0;
      UPDATE mail_messages SET body = ''
        WHERE kind IN ('cancelCode', 'portalCode', 'pictureReceipt') AND sent_at IS NOT NULL;
      CREATE INDEX mail_messages_recipient ON mail_messages (lower(recipient));
      CREATE INDEX mail_messages_sealed ON mail_messages (created_at) WHERE sealed_body IS NOT NULL;
      CREATE INDEX mail_messages_guests ON mail_messages (created_at) WHERE kind = 'pictureReceipt' AND recipient <> '';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX mail_messages_recipient, mail_messages_guests;
      ALTER TABLE mail_messages DROP COLUMN sealed_body, ALTER COLUMN attempts DROP DEFAULT
    `);
  }
}
