import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import pg from 'pg';
import type { Product } from './product.ts';
import { until } from './until.ts';

/** Environment of a running service. Linux only. */
export async function environmentOf(
  product: Pick<Product, 'pidOf'>,
  service: 'api' | 'web',
): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${await product.pidOf(service)}/environ`, 'utf8');
  const pairs = text.split('\0').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
  );
}

/** Removes everything that a product's Redis holds, while its processes are connected. */
export async function emptyRedis(product: Pick<Product, 'pidOf'>): Promise<void> {
  const { REDIS_URL = '' } = await environmentOf(product, 'api');
  const { hostname, port, password } = new URL(REDIS_URL);
  const socket = connect(Number(port), hostname);
  for (const command of [`AUTH ${password}`, 'FLUSHALL']) {
    socket.write(`${command}\r\n`);
    const [reply] = await once(socket, 'data');
    if (String(reply) !== '+OK\r\n') throw new Error(`Redis answered ${reply}`);
  }
  socket.destroy();
}

export type DatabaseClient = pg.Client;

export async function withDatabase<Result>(
  url: string,
  work: (client: DatabaseClient) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Starts a query that computes for about a minute and doesn't notice that its server was killed. */
export async function startLongQuery(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  client.query('DO $$ BEGIN FOR step IN 1..2000000000 LOOP END LOOP; END $$').catch(() => {});
  const running = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'";
  await withDatabase(url, (other) => until('the query runs', async () => (await other.query(running)).rowCount === 1));
}
