import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** Redis databases: 0 is left for a product that runs beside the tests, three workers of Vitest share the next ones. */
const REDIS_DATABASES = { all: 15, each: 5 } as const;

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

/** Test files that run concurrently have different pool ids, so different databases of Redis. */
function redisUrl(index: number): string {
  const address = addressFrom('TEST_REDIS_URL');
  const first = (Number(process.env.VITEST_POOL_ID ?? 1) - 1) * REDIS_DATABASES.each;
  address.pathname = `/${((first + index) % REDIS_DATABASES.all) + 1}`;
  return address.href;
}

const usedIndexes = new Set<number>();

export interface OwnRedis {
  readonly url: string;
  release(): void;
}

/** A database of Redis for one application: two in one would run each other's jobs. */
export function takeRedis(): OwnRedis {
  const index = Array.from({ length: REDIS_DATABASES.each }, (_, each) => each).find((each) => !usedIndexes.has(each));
  if (index === undefined) throw new Error(`a test file runs at most ${REDIS_DATABASES.each} applications at a time`);
  usedIndexes.add(index);
  return { url: redisUrl(index), release: () => usedIndexes.delete(index) };
}
