import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  ALTER TABLE tasks ADD mask jsonb;
  ALTER TABLE remote_files ADD mask_url text;
`;

const DOWN = `
  ALTER TABLE remote_files DROP mask_url;
  ALTER TABLE tasks DROP mask;
`;

export class Masks1764379000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
