import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../test/support/stores/stores.js';
import { limitConnectionWaits, RequestPool } from './connection-waits.js';

const LONGEST_MS = 20;

/** `ask` is a request that needs a connection; its answer is the error's name. */
async function start(max: number) {
  const own = await copyDatabase();
  const pool = new RequestPool({ connectionString: own.url, max, connectionTimeoutMillis: 1_000 });
  const fastify = Fastify();
  limitConnectionWaits(fastify, LONGEST_MS);
  fastify.get('/', (_request, reply) => {
    pool.connect((error, _client, release) => {
      release?.();
      reply.send(error?.name ?? 'connected');
    });
    return reply;
  });
  onTestFinished(async () => {
    await fastify.close();
    await pool.end();
    await own.drop();
  });
  return { pool, ask: async () => (await fastify.inject('/')).body };
}

it('a refused request takes no connection, whether its turn comes or the pool gives up first', async () => {
  const { pool, ask } = await start(1);
  const held = await pool.connect();
  const waiting = ask();
  const later = pool.connect();
  expect(await waiting).toBe('AppError');
  await expect(later).rejects.toThrow('timeout exceeded');
  expect(await ask()).toBe('AppError');
  held.release();
  // Behind the refused one.
  (await pool.connect()).release();
  expect(await ask()).toBe('connected');
});

it('a connection that must be opened first is waited for', async () => {
  const { pool, ask } = await start(2);
  const held = await pool.connect();
  expect(await ask()).toBe('connected');
  held.release();
});
