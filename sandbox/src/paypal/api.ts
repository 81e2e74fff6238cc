import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Faults } from '../core/faults.js';
import { findResponse, findRoute, respondWithFaults, storeResponse, textScope } from '../core/http-api.js';
import { hmac, isSame, newId, sha256 } from '../core/ids.js';
import { type Ledger, type Transaction, withoutInternals } from '../core/ledger.js';
import { invalidRequest, notFound, outage, PayPalError, unauthenticated, unprocessable } from './errors.js';
import type { PayPalRoute } from './routes.js';

const MAX_REQUEST_ID_LENGTH = 108;
const TOKEN_SECONDS = 9 * 3600;

export interface PayPalKeys {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The part of PayPal's REST API that the product uses. Anything else is rejected as PayPal does. */
export class PayPalApi {
  constructor(
    private readonly ledger: Ledger,
    private readonly faults: Faults,
    private readonly routes: readonly PayPalRoute[],
    private readonly keys: PayPalKeys,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await textScope(fastify, (scope) => {
      scope.post('/v1/oauth2/token', (request, reply) => this.issueToken(request, reply));
      for (const url of ['/v1/billing/*', '/v1/notifications/*', '/v2/*']) {
        scope.route({
          method: ['GET', 'POST', 'PATCH', 'DELETE'],
          url,
          handler: (request, reply) => this.respond(request, reply),
        });
      }
    });
  }

  private async issueToken({ headers, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { clientId, clientSecret } = this.keys;
    const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (!isSame(headers.authorization ?? '', expected)) {
      return reply.status(401).send({ error: 'invalid_client', error_description: 'Client Authentication failed' });
    }
    const isForm = headers['content-type']?.split(';')[0] === 'application/x-www-form-urlencoded';
    if (!isForm || new URLSearchParams(String(body)).get('grant_type') !== 'client_credentials') {
      return reply.status(400).send({ error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' });
    }
    return reply.send({
      scope: 'https://uri.paypal.com/services/subscriptions',
      access_token: this.token(Math.floor(Date.now() / 1000) + TOKEN_SECONDS),
      token_type: 'Bearer',
      app_id: 'APP-SANDBOX',
      expires_in: TOKEN_SECONDS,
    });
  }

  /** Valid also after a restart. */
  private readonly token = (expiresAt: number): string =>
    `A21AA${expiresAt}.${hmac(this.keys.clientSecret, `token:${expiresAt}`)}`;

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const found = findRoute(this.routes, request);
    const response = await respondWithFaults(this.faults, request, reply, {
      operation: found?.route.operation,
      perform: () => this.handle(request, found).catch(responseOf),
      outage: (status) => responseOf(outage(status)),
    });
    if (!response) return undefined;
    return reply.status(response.status).send(response.status === 204 ? undefined : response.body);
  }

  private async handle(
    request: FastifyRequest,
    found: ReturnType<typeof findRoute<PayPalRoute>>,
  ): Promise<ApiResponse> {
    this.authenticate(request);
    if (!found) throw notFound();
    const { route, id } = found;
    const { searchParams } = new URL(request.url, 'http://sandbox');
    const text = typeof request.body === 'string' ? request.body : '';
    const query = read(route.query, Object.fromEntries(searchParams), 'query');
    const body = route.body ? read(route.body, jsonOf(request, text), 'body') : undefined;
    if (!route.body && text !== '') throw invalidRequest({ issue: 'UNEXPECTED_BODY', location: 'body' });
    const perform = async (tx: Transaction): Promise<ApiResponse> => ({
      status: route.status,
      body: withoutInternals((await route.handle(tx, { id, query, body, text })) ?? null),
    });
    const { 'paypal-request-id': key } = request.headers;
    if (route.method === 'GET' || typeof key !== 'string') return this.ledger.transact(perform);
    if (key.length > MAX_REQUEST_ID_LENGTH) {
      throw invalidRequest({ issue: 'INVALID_STRING_LENGTH', field: 'PayPal-Request-Id', location: 'header' });
    }
    const fingerprint = sha256(`${id} ${text}`);
    const storedKey = `paypal:${route.operation}:${key}`;
    return this.ledger.transact((tx) => once(tx, storedKey, fingerprint, () => perform(tx)));
  }

  private authenticate({ headers }: FastifyRequest): void {
    const [, token = '', expiresAt = ''] = /^Bearer (A21AA(\d+)\.\S+)$/.exec(headers.authorization ?? '') ?? [];
    const isCurrent = Number(expiresAt) > Date.now() / 1000;
    if (!isCurrent || !isSame(token, this.token(Number(expiresAt)))) throw unauthenticated();
  }
}

function jsonOf({ headers }: FastifyRequest, text: string): unknown {
  if (headers['content-type']?.split(';')[0] !== 'application/json') {
    throw new PayPalError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The server does not support the request payload media type.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest({ issue: 'MALFORMED_REQUEST_JSON', location: 'body' });
  }
}

/** @throws PayPalError for the first value that doesn't match; unknown ones are rejected */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown, location: 'body' | 'query'): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  throw invalidRequest({
    issue: issue?.code === 'unrecognized_keys' ? 'UNKNOWN_PARAMETER' : 'INVALID_PARAMETER_SYNTAX',
    field: location === 'body' ? `/${path.join('/')}` : path.join('.'),
    location,
    ...(issue && { description: issue.message }),
  });
}

/** A repeated id returns the first response; with other parameters it is an error. Rejections aren't stored. */
async function once(
  tx: Transaction,
  key: string,
  fingerprint: string,
  perform: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const earlier = await findResponse(tx, key, fingerprint, () =>
    unprocessable('DUPLICATE_REQUEST_ID', 'The value of PayPal-Request-Id header has already been used.'),
  );
  if (earlier) return { status: earlier.status, body: earlier.body };
  const response = await perform();
  await storeResponse(tx, key, { ...response, fingerprint, request_id: newId('req') });
  return response;
}

function responseOf(error: unknown): ApiResponse {
  if (!(error instanceof PayPalError)) throw error;
  return { status: error.status, body: error.body };
}
