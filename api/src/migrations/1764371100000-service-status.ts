import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of each part of the service, measured by background work and shown to customers. */
const UP = `
  CREATE TABLE service_components (
    name text PRIMARY KEY,
    status text NOT NULL CHECK (status IN ('operational', 'degraded', 'outage')),
    waiting_seconds int,
    since timestamptz NOT NULL,
    measured_at timestamptz NOT NULL
  );
`;

const DOWN = 'DROP TABLE service_components;';

export class ServiceStatus1764371100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
