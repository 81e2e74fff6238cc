import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const STRIPE = new URL('../../browser/stripe.js', import.meta.url);

/** The script in place of Stripe.js. */
export async function mountScripts(fastify: FastifyInstance): Promise<void> {
  const script = await readFile(STRIPE, 'utf8');
  fastify.get('/api/sandbox/scripts/stripe.js', (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').header('cache-control', 'no-store').send(script),
  );
}
