import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../src/migrations/index.js';
import { DatabaseConfig } from '../../src/platform/config/database.config.js';
import { databaseOptions } from '../../src/platform/database/database.module.js';

/** Redis has sixteen databases; 0 is left to whoever runs the product beside the tests. */
const REDIS_DATABASES = 15;

function addressFrom(variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): URL {
  const value = process.env[variable];
  if (!value) {
    throw new Error(
      `${variable} is missing: run the tests with \`npm test\`, which brings its own PostgreSQL and Redis`,
    );
  }
  return new URL(value);
}

/** A database of one test file's own, with the schema in it. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function asSuperuser(sql: string): Promise<void> {
  const client = new Client({ connectionString: addressFrom('TEST_DATABASE_URL').href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export async function createDatabase(): Promise<OwnDatabase> {
  const name = `clearframe_test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`CREATE DATABASE ${name}`);
  const address = addressFrom('TEST_DATABASE_URL');
  address.pathname = `/${name}`;
  const source = new DataSource({
    ...databaseOptions(DatabaseConfig.fromEnvironment({ DATABASE_URL: address.href })),
    migrations: MIGRATIONS,
  });
  await source.initialize();
  await source.runMigrations();
  await source.destroy();
  return { url: address.href, drop: () => asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Test files that run at once have different pool ids, and so different Redis databases. */
export function redisUrl(): string {
  const address = addressFrom('TEST_REDIS_URL');
  address.pathname = `/${((Number(process.env.VITEST_POOL_ID ?? 1) - 1) % REDIS_DATABASES) + 1}`;
  return address.href;
}
