import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import fastify from 'fastify';
import pg from 'pg';
import type { Parameter } from './wire-tap.ts';

/** A route that only runs statements, one after the other on one connection, and answers with a body of the same size. */
export interface BareRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly statements: readonly { readonly sql: string; readonly parameters: readonly Parameter[] }[];
  readonly answer: { readonly status: number; readonly body: string };
}

export interface BareServerOptions {
  readonly databaseUrl: string;
  readonly routes: readonly BareRoute[];
  /** Ids that stay as they are. Others would exist already: each request has new ones. */
  readonly knownIds: readonly string[];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function storeFile(request: IncomingMessage): Promise<void> {
  const form = new Busboy({ headers: request.headers as IncomingHttpHeaders & { 'content-type': string } });
  const path = join(tmpdir(), `bench-${randomUUID()}`);
  const stored: Promise<void>[] = [];
  form.on('file', (_field, file) => stored.push(pipeline(file, createWriteStream(path))));
  request.pipe(form);
  await once(form, 'finish');
  await Promise.all(stored);
  await rm(path);
}

/** In a process of its own, as the API is: its options come by message, its port goes back. */
process.once('message', async ({ databaseUrl, routes, knownIds }: BareServerOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = fastify();
  app.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body));
  const known = new Set(knownIds);
  for (const { method, path, statements, answer } of routes) {
    app.route({
      method,
      url: path,
      handler: async ({ raw }, reply) => {
        const fresh = new Map<string, string>();
        const renewed = (text: string): string =>
          text.replace(UUID, (id) => {
            if (known.has(id)) return id;
            const made = fresh.get(id) ?? randomUUID();
            fresh.set(id, made);
            return made;
          });
        if (method === 'POST') await storeFile(raw);
        const client = await pool.connect();
        try {
          for (const { sql, parameters } of statements)
            await client.query(
              sql,
              parameters.map((value) => (typeof value !== 'string' || method === 'GET' ? value : renewed(value))),
            );
        } finally {
          client.release();
        }
        return reply.status(answer.status).type('application/json').send(answer.body);
      },
    });
  }
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
});
