import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PersonalDataIndexes1763930000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX audit_entries_actor ON audit_entries (actor);
      CREATE INDEX gift_code_uses_user ON gift_code_uses (user_id);
      CREATE INDEX subscription_codes_subscription ON subscription_codes (subscription_id)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX audit_entries_actor, gift_code_uses_user, subscription_codes_subscription');
  }
}
