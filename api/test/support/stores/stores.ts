import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** Redis has sixteen databases; 0 is left for a product that runs beside the tests. */
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

/** An empty database, or a copy of the `template`. */
export async function copyDatabase(template?: string): Promise<OwnDatabase & { readonly name: string }> {
  const name = `clearframe_test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(
    template === undefined ? `CREATE DATABASE ${name}` : `CREATE DATABASE ${name} TEMPLATE ${template}`,
  );
  const address = addressFrom('TEST_DATABASE_URL');
  address.pathname = `/${name}`;
  return { name, url: address.href, drop: () => asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`) };
}

export const createDatabase = (): Promise<OwnDatabase> => copyDatabase(inject('templateDatabase'));

/** Test files that run concurrently have different pool ids, so different Redis databases. */
export function redisUrl(): string {
  const address = addressFrom('TEST_REDIS_URL');
  address.pathname = `/${((Number(process.env.VITEST_POOL_ID ?? 1) - 1) % REDIS_DATABASES) + 1}`;
  return address.href;
}
