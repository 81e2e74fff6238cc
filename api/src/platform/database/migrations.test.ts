import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { copyDatabase, createDatabase, type OwnDatabase } from '../../../test/support/stores/stores.js';
import { until } from '../../../test/support/until.js';
import { Baseline1764300000000 } from '../../migrations/1764300000000-baseline.js';
import { DatabaseConfig } from './database.module.js';
import { type MigrationTimes, migrateDatabase } from './migrate.js';

let database: OwnDatabase;
const clients: Client[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));
afterAll(() => database.drop());

async function connect(url = database.url): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

const migrate = (migrations: (new () => { up(queryRunner: QueryRunner): Promise<void> })[], times?: MigrationTimes) =>
  migrateDatabase(DatabaseConfig.fromEnvironment({ DATABASE_URL: database.url }), migrations as never, times);

const QUICK: MigrationTimes = { lockTimeoutMs: 200, pauseMs: 50, giveUpAfterMs: 60_000 };

it('limits the time for locks, but not for statements of a migration', async () => {
  const settings: Record<string, string> = {};
  class Settings1900000000001 {
    async up(queryRunner: QueryRunner): Promise<void> {
      const [row] = await queryRunner.query(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
      );
      Object.assign(settings, row);
    }
    async down(): Promise<void> {}
  }
  expect(await migrate([Settings1900000000001])).toEqual(['Settings1900000000001']);
  expect(settings).toEqual({ statement: '0', lock: '2s' });
  expect(await migrate([Settings1900000000001])).toEqual([]);
});

it('lets queries through while a migration waits for a table, which it gets later', async () => {
  class Column1900000000002 {
    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('ALTER TABLE users ADD COLUMN added_by_a_test int');
    }
    async down(): Promise<void> {}
  }
  const [holder, observer, reader] = [await connect(), await connect(), await connect()];
  await holder.query('BEGIN');
  await holder.query('SELECT count(*) FROM users');
  const migrating = migrate([Column1900000000002], QUICK);
  const waiting = `SELECT FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE users%' AND wait_event_type = 'Lock'`;
  await until(async () => (await observer.query(waiting)).rowCount, 'the migration to wait for the table');
  // Queued behind the migration, and served while the table is still locked.
  expect((await reader.query('SELECT FROM users LIMIT 1')).rowCount).toBe(0);
  await holder.query('COMMIT');
  expect(await migrating).toEqual(['Column1900000000002']);
  expect((await reader.query('SELECT added_by_a_test FROM users')).fields).toHaveLength(1);
});

it('runs each migration once in concurrent processes', async () => {
  class Once1900000000003 {
    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('CREATE TABLE made_once (id int)');
    }
    async down(): Promise<void> {}
  }
  const done = await Promise.all([1, 2, 3].map(() => migrate([Once1900000000003], QUICK)));
  expect(done.flat()).toEqual(['Once1900000000003']);
});

it.each([
  { last: 'MeasuredDurations1764250000000', accepts: true },
  { last: 'FirstChargeRetries1764240000000', accepts: false },
])('accepts a database of an earlier version only when it has its last migration: $last', async ({ last, accepts }) => {
  const earlier = await copyDatabase();
  onTestFinished(earlier.drop);
  const client = await connect(earlier.url);
  await client.query(
    `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)`,
  );
  await client.query('INSERT INTO migrations (timestamp, name) VALUES (1, $1)', [last]);
  await client.end();
  clients.pop();
  const migrating = migrateDatabase(DatabaseConfig.fromEnvironment({ DATABASE_URL: earlier.url }), [
    Baseline1764300000000,
  ]);
  if (accepts) expect(await migrating).toEqual(['Baseline1764300000000']);
  else await expect(migrating).rejects.toThrow('start with an empty one');
});
