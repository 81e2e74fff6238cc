import type { MigrationInterface, QueryRunner } from 'typeorm';

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
