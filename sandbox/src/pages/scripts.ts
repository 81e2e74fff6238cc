import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** In place of Stripe.js, PayPal's SDK and reCAPTCHA's script. */
const SCRIPTS = ['stripe.js', 'paypal.js', 'recaptcha.js'];

export async function mountScripts(fastify: FastifyInstance): Promise<void> {
  for (const name of SCRIPTS) {
    const script = await readFile(new URL(`../../browser/${name}`, import.meta.url), 'utf8');
    fastify.get(`/api/sandbox/scripts/${name}`, (_request, reply) =>
      reply.header('content-type', 'text/javascript; charset=utf-8').header('cache-control', 'no-store').send(script),
    );
  }
}
