import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Faults } from '../core/faults.js';
import { findResponse, findRoute, patternOf, respondWithFaults, storeResponse, textScope } from '../core/http-api.js';
import { isSame, newId, sha256 } from '../core/ids.js';
import type { Ledger, Transaction } from '../core/ledger.js';
import { invalidRequest, StripeError } from './errors.js';
import { API_VERSION } from './events.js';
import { present } from './expand.js';
import type { StripeList } from './objects.js';
import { parseForm, readParameters } from './params.js';

export interface StripeRoute {
  /** `POST /v1/subscriptions/{id}`. */
  readonly operation: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: z.ZodType;
  handle(tx: Transaction, parameters: unknown, id: string): Promise<unknown>;
}

export function route<Schema extends z.ZodType>(
  operation: string,
  parameters: Schema,
  handle: (tx: Transaction, parameters: z.output<Schema>, id: string) => Promise<unknown>,
): StripeRoute {
  return {
    operation,
    ...patternOf(operation),
    parameters,
    handle: (tx, given, id) => handle(tx, given as z.output<Schema>, id),
  };
}

/** A page of a list, newest first. */
export function page<Item extends { id: string }>(
  url: string,
  items: readonly Item[],
  { limit, starting_after: after }: { limit: number; starting_after?: string | undefined },
): StripeList<Item> {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw invalidRequest('resource_missing', `No such object: '${after}'`, 'starting_after');
  }
  const rest = items.slice(start);
  return { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) };
}

const FORM = 'application/x-www-form-urlencoded';
const MAX_KEY_LENGTH = 255;

interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string;
  readonly isReplayed?: boolean;
}

/** The part of Stripe's REST API that the product uses. Anything else is rejected as Stripe does. */
export class StripeApi {
  constructor(
    private readonly ledger: Ledger,
    private readonly faults: Faults,
    private readonly routes: readonly StripeRoute[],
    private readonly secretKey: string,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await textScope(fastify, (scope) => {
      scope.route({
        method: ['GET', 'POST', 'DELETE'],
        url: '/v1/*',
        handler: (request, reply) => this.respond(request, reply),
      });
    });
  }

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const found = findRoute(this.routes, request);
    const response = await respondWithFaults(this.faults, request, reply, {
      operation: found?.route.operation,
      perform: () => this.handle(request, found).catch((error: unknown) => responseOf(error)),
      outage: unavailable,
    });
    if (!response) return undefined;
    return reply
      .status(response.status)
      .header('request-id', response.requestId)
      .header('stripe-version', API_VERSION)
      .headers(response.isReplayed ? { 'idempotent-replayed': 'true' } : {})
      .send(response.body);
  }

  private async handle(
    request: FastifyRequest,
    found: ReturnType<typeof findRoute<StripeRoute>>,
  ): Promise<ApiResponse> {
    this.authenticate(request);
    const { pathname, search } = new URL(request.url, 'http://sandbox');
    if (!found) {
      const message = `Unrecognized request URL (${request.method}: ${pathname}).`;
      throw new StripeError(404, { type: 'invalid_request_error', message });
    }
    const { route, id } = found;
    const form = formOf(request, search);
    const parameters = readParameters(route.parameters, parseForm(form));
    const perform = async (tx: Transaction) => {
      const { expand } = parameters as { expand?: string[] };
      return present(tx, await route.handle(tx, parameters, id), expand);
    };
    const requestId = newId('req');
    if (request.method !== 'POST') {
      const body = await this.ledger.transact((tx) => perform(tx));
      return { status: 200, body, requestId };
    }
    const { 'idempotency-key': given } = request.headers;
    const key = typeof given === 'string' ? given : requestId;
    if (key.length > MAX_KEY_LENGTH)
      throw invalidRequest('idempotency_key_invalid', 'The idempotency key is too long.');
    const fingerprint = sha256(`${route.operation} ${id} ${form}`);
    return this.ledger.transact((tx) => once(tx, key, fingerprint, requestId, () => perform(tx)));
  }

  private authenticate({ headers }: FastifyRequest): void {
    const [, key] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (key === undefined) throw invalidRequest('api_key_missing', 'You did not provide an API key.', undefined, 401);
    if (!isSame(key, this.secretKey)) {
      throw invalidRequest('api_key_invalid', `Invalid API Key provided: ${key.slice(0, 8)}****`, undefined, 401);
    }
    if (headers['stripe-version'] !== API_VERSION) {
      throw invalidRequest('api_version_invalid', `Invalid Stripe API version: ${headers['stripe-version']}`);
    }
  }
}

function formOf({ method, headers, body }: FastifyRequest, search: string): string {
  if (method === 'GET') return search.slice(1);
  const sent = typeof body === 'string' ? body : '';
  const [contentType] = (headers['content-type'] ?? '').split(';');
  if (sent !== '' && contentType !== FORM) {
    throw invalidRequest('content_type', `Invalid request: content type must be ${FORM}, not ${contentType}.`);
  }
  if (method === 'DELETE' && sent === '') return search.slice(1);
  if (search !== '') throw invalidRequest('parameter_invalid', 'Parameters of a POST belong to its body.');
  return sent;
}

/** A repeated key returns the first response; with other parameters it is an error. */
async function once(
  tx: Transaction,
  key: string,
  fingerprint: string,
  requestId: string,
  perform: () => Promise<unknown>,
): Promise<ApiResponse> {
  const earlier = await findResponse(tx, key, fingerprint, () => {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    return new StripeError(400, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  });
  if (earlier) {
    return { status: earlier.status, body: earlier.body, requestId: earlier.request_id, isReplayed: true };
  }
  const response = await tx
    .attempt(perform, (error) => error instanceof StripeError && error.keepsChanges)
    .then((body): ApiResponse => ({ status: 200, body, requestId }))
    .catch((error: unknown) => responseOf(error, requestId));
  await storeResponse(tx, key, { ...response, fingerprint, request_id: requestId });
  return response;
}

function responseOf(error: unknown, requestId?: string): ApiResponse {
  if (!(error instanceof StripeError)) throw error;
  return { status: error.status, body: { error: error.body }, requestId: requestId ?? newId('req') };
}

const unavailable = (status: number): ApiResponse => ({
  status,
  body: { error: { type: 'api_error', message: 'The sandbox simulates an outage.' } },
  requestId: newId('req'),
});
