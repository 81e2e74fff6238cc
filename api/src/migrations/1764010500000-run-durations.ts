import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mean durations of runs by queue too: `run_averages` mixed runs of a second with those of networks. It stays for earlier
 * versions, to which an operator may roll back.
 */
export class RunDurations1764010500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE run_durations (
        queue text NOT NULL,
        kind text NOT NULL,
        -- Upper bound of the size class in megapixels; 0 for all sizes together.
        size_class real NOT NULL,
        seconds real NOT NULL,
        samples int NOT NULL,
        PRIMARY KEY (queue, kind, size_class)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE run_durations');
  }
}
