import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Faults } from './faults.js';
import type { Transaction } from './ledger.js';

/** A scope whose bodies arrive as text, as the signature or the format of a provider requires. */
export async function textScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    register(scope);
  });
}

/** `POST /v1/subscriptions/{id}` */
export function patternOf(operation: string): { readonly method: string; readonly pattern: RegExp } {
  const [method = '', path = ''] = operation.split(' ');
  return { method, pattern: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`) };
}

interface Pattern {
  readonly method: string;
  readonly pattern: RegExp;
}

export function findRoute<Route extends Pattern>(
  routes: readonly Route[],
  { method, url }: FastifyRequest,
): { readonly route: Route; readonly id: string } | null {
  const { pathname } = new URL(url, 'http://sandbox');
  for (const route of routes) {
    const match = route.method === method && route.pattern.exec(pathname);
    if (match) return { route, id: decodeURIComponent(match[1] ?? '') };
  }
  return null;
}

interface Handling<Response> {
  /** Undefined for an unknown route. */
  readonly operation: string | undefined;
  perform(): Promise<Response>;
  outage(status: number): Response;
}

/** Executes a request unless a fault intervenes. @returns null when the connection was closed */
export async function respondWithFaults<Response>(
  faults: Faults,
  request: FastifyRequest,
  reply: FastifyReply,
  { operation = '', perform, outage }: Handling<Response>,
): Promise<Response | null> {
  const fault = operation ? faults.take(operation) : null;
  const hold = faults.takeHold(operation);
  if (fault?.kind === 'drop') return disconnect(request, reply);
  const response = fault?.kind === 'error' ? outage(fault.status ?? 500) : await perform();
  await hold();
  if (fault?.kind === 'drop_after') return disconnect(request, reply);
  if (fault?.kind === 'delay') await pause(fault.delayMs ?? 0);
  return response;
}

function disconnect(request: FastifyRequest, reply: FastifyReply): null {
  reply.hijack();
  request.raw.socket.destroy();
  return null;
}

interface StoredResponse {
  readonly fingerprint: string;
  readonly request_id: string;
  readonly status: number;
  readonly body: unknown;
}

/** The first response to an idempotency key. @throws mismatch of a request with other parameters */
export async function findResponse(
  tx: Transaction,
  key: string,
  fingerprint: string,
  mismatch: () => Error,
): Promise<StoredResponse | null> {
  const [earlier] = await tx.query<StoredResponse>(
    'SELECT fingerprint, request_id, status, body FROM sandbox.requests WHERE key = $1',
    [key],
  );
  if (earlier && earlier.fingerprint !== fingerprint) throw mismatch();
  return earlier ?? null;
}

export async function storeResponse(
  tx: Transaction,
  key: string,
  { fingerprint, request_id: requestId, status, body }: StoredResponse,
): Promise<void> {
  await tx.query(
    'INSERT INTO sandbox.requests (key, fingerprint, request_id, status, body) VALUES ($1, $2, $3, $4, $5)',
    [key, fingerprint, requestId, status, JSON.stringify(body)],
  );
}
