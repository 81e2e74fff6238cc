import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TaskLists1763971000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX tasks_user_status ON tasks (user_id, status, created_at, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX tasks_user_status');
  }
}
