import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What owners choose for a key, and the address of its last use. `key_months` counts what was started by month (UTC);
 * `told` is the highest part of the monthly limit, in percent, that the owner has been told of.
 */
const UP = `
  ALTER TABLE plugin_keys ADD name text, ADD expires_at timestamptz, ADD per_minute int, ADD per_month int,
    ADD last_used_ip text;

  CREATE TABLE key_months (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    key_id uuid NOT NULL REFERENCES plugin_keys ON DELETE CASCADE,
    month date NOT NULL,
    used int NOT NULL CHECK (used >= 0),
    told int NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, key_id, month)
  );
`;

const DOWN = `
  DROP TABLE key_months;
  ALTER TABLE plugin_keys DROP last_used_ip, DROP per_month, DROP per_minute, DROP expires_at, DROP name;
`;

export class KeyChoices1764377000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
