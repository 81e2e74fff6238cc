import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What `/metrics` reads: partial, so that they hold open work and the movements of credits only. */
const UP = `
  CREATE INDEX audit_entries_backups ON audit_entries (created_at) WHERE action = 'backups.create';
  CREATE INDEX export_uses_credit ON export_uses (created_at) WHERE source = 'credit';
  CREATE INDEX payments_settled ON payments (settled_at) WHERE status = 'succeeded';
  CREATE INDEX runs_abandoned ON runs (created_at) WHERE status = 'failed' AND attempts > 40;
  CREATE INDEX runs_unserved ON runs (kind) WHERE status = 'waiting' AND reason IS NOT NULL;
  CREATE INDEX tasks_in_work ON tasks (created_at) WHERE status IN ('processing', 'reprocessing');
  CREATE INDEX video_uses_reserved ON video_uses (created_at) WHERE NOT is_kept;
`;

const DOWN = `
  DROP INDEX audit_entries_backups, export_uses_credit, payments_settled, runs_abandoned, runs_unserved, tasks_in_work,
    video_uses_reserved;
`;

export class OperationMetrics1764381500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
