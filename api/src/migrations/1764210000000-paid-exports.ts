import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the state of a task's export, and for photos that were paid for and not exported yet. */
export class PaidExports1764210000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX credit_entries_task ON credit_entries (task_id) WHERE task_id IS NOT NULL;
      CREATE INDEX payments_paid_task ON payments (settled_at) WHERE status = 'succeeded' AND task_id IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX credit_entries_task, payments_paid_task');
  }
}
