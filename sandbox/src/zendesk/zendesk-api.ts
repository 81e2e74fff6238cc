import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Faults } from '../core/faults.js';
import { respondWithFaults, textScope } from '../core/http-api.js';
import { isSame } from '../core/ids.js';
import { readTicket, type StoredTicket, type Tickets, ZendeskError } from './tickets.js';

const ROUTES = [
  { operation: 'POST /api/v2/tickets', method: 'POST', pattern: /^\/api\/v2\/tickets(?:\.json)?$/ },
  { operation: 'GET /api/v2/tickets', method: 'GET', pattern: /^\/api\/v2\/tickets(?:\.json)?$/ },
  { operation: 'DELETE /api/v2/tickets/{id}', method: 'DELETE', pattern: /^\/api\/v2\/tickets\/(\d+)(?:\.json)?$/ },
  {
    operation: 'DELETE /api/v2/deleted_tickets/{id}',
    method: 'DELETE',
    pattern: /^\/api\/v2\/deleted_tickets\/(\d+)(?:\.json)?$/,
  },
] as const;
type Operation = (typeof ROUTES)[number]['operation'];

interface ApiResponse {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Call {
  readonly request: FastifyRequest;
  readonly id: string;
}

/** The part of Zendesk's ticketing API that the product uses; version 2, basic authentication by token. */
export class ZendeskApi {
  private readonly handlers: Readonly<Record<Operation, (call: Call) => Promise<ApiResponse>>> = {
    'POST /api/v2/tickets': ({ request }) => this.create(request),
    'GET /api/v2/tickets': ({ request }) => this.list(request),
    'DELETE /api/v2/tickets/{id}': async ({ id }) => this.removed(await this.tickets.delete(id)),
    'DELETE /api/v2/deleted_tickets/{id}': async ({ id }) => this.removed(await this.tickets.erase(id)),
  };

  constructor(
    private readonly tickets: Tickets,
    private readonly faults: Faults,
    private readonly account: { readonly email: string; readonly token: string },
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await textScope(fastify, (scope) => {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'DELETE'],
        url: '/api/v2/*',
        handler: (request, reply) => this.respond(request, reply),
      });
    });
  }

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { pathname } = new URL(request.url, 'http://sandbox');
    const route = ROUTES.find(({ method, pattern }) => method === request.method && pattern.test(pathname));
    const perform = async (): Promise<ApiResponse> => {
      this.authenticate(request);
      if (!route) throw new ZendeskError(404, 'InvalidEndpoint', 'Not found');
      return this.handlers[route.operation]({ request, id: route.pattern.exec(pathname)?.[1] ?? '' });
    };
    const response = await respondWithFaults(this.faults, request, reply, {
      operation: route?.operation,
      perform: () => perform().catch(responseOf),
      outage,
    });
    if (!response) return undefined;
    return reply
      .status(response.status)
      .headers(response.headers ?? {})
      .send(response.body);
  }

  private authenticate({ headers }: FastifyRequest): void {
    const [, encoded = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const { email, token } = this.account;
    if (!isSame(Buffer.from(encoded, 'base64').toString(), `${email}/token:${token}`)) {
      throw new ZendeskError(401, 'Couldn’t authenticate you', 'The address or token is wrong');
    }
  }

  private async create({ headers, body }: FastifyRequest): Promise<ApiResponse> {
    if (headers['content-type']?.split(';')[0] !== 'application/json') {
      throw new ZendeskError(415, 'UnsupportedMediaType', 'The content type must be application/json');
    }
    const { 'idempotency-key': given } = headers;
    const { ticket, isReplayed } = await this.tickets.create(
      readTicket(parseJson(body)),
      typeof given === 'string' ? given : null,
    );
    const lookup: Record<string, string> =
      typeof given === 'string' ? { 'x-idempotency-lookup': isReplayed ? 'hit' : 'miss' } : {};
    return { status: 201, body: { ticket: present(ticket) }, headers: lookup };
  }

  private async list({ url }: FastifyRequest): Promise<ApiResponse> {
    const externalId = new URL(url, 'http://sandbox').searchParams.get('external_id');
    const tickets = await this.tickets.list(externalId ?? undefined);
    return { status: 200, body: { tickets: tickets.map(present), count: tickets.length } };
  }

  private removed(isFound: boolean): ApiResponse {
    if (!isFound) throw new ZendeskError(404, 'RecordNotFound', 'Not found');
    return { status: 204 };
  }
}

const present = ({ id, content: { comment, requester: _user, ...rest }, createdAt }: StoredTicket): object => ({
  ...rest,
  id,
  status: 'new',
  description: comment.body,
  created_at: createdAt.toISOString(),
});

function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new ZendeskError(400, 'InvalidJson', 'The body isn’t JSON');
  }
}

function responseOf(error: unknown): ApiResponse {
  if (!(error instanceof ZendeskError)) throw error;
  return { status: error.status, body: error.body };
}

const RETRY_AFTER = { 'retry-after': '30' };

const outage = (status: number): ApiResponse => ({
  status,
  body: { error: 'SandboxOutage', description: 'The sandbox simulates an outage.' },
  headers: status === 429 ? RETRY_AFTER : {},
});
