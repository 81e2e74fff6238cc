import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The HTML part of messages that wait, encrypted like the body. Earlier messages are sent as text only. */
export class MailHtml1763983000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE mail_messages ADD COLUMN html text, ADD COLUMN language text;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE mail_messages DROP COLUMN html, DROP COLUMN language');
  }
}
