import { fromWire, isErrorCode, Problem } from '@clearframe/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors/app-error.js';

const FORWARDED_HEADERS = ['content-type', 'location', 'content-security-policy', 'cache-control', 'referrer-policy'];

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: object;
}

export class SandboxClient {
  constructor(
    private readonly url: string,
    private readonly onResponse: (headers: Headers) => void = () => undefined,
  ) {}

  async call<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { method = 'GET', body }: Call = {},
  ): Promise<z.output<Schema>> {
    const response = await this.request(path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const json: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return schema.parse(fromWire(schema, json));
    const { errorCode, errorDescription, details } = Problem.parse(fromWire(Problem, json));
    if (!isErrorCode(errorCode)) throw new AppError('service.internal', { internal: errorDescription });
    throw new AppError(errorCode, { description: errorDescription, ...(details && { details }) });
  }

  async forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { url, method, headers } = request;
    const chunks: Buffer[] = [];
    if (method !== 'GET') for await (const chunk of request.raw) chunks.push(chunk);
    const response = await this.request(url, {
      method,
      redirect: 'manual',
      headers: {
        accept: headers.accept ?? '*/*',
        ...(chunks.length > 0 && { 'content-type': headers['content-type'] ?? '' }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.status(response.status).send(Buffer.from(await response.arrayBuffer()));
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    try {
      const response = await fetch(`${this.url}${path}`, init);
      this.onResponse(response.headers);
      return response;
    } catch (cause) {
      throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
    }
  }
}
