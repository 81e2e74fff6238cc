import { ERRORS, type ErrorCode, fromWire, Problem } from '@clearframe/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors/app-error.js';

const FORWARDED_HEADERS = ['content-type', 'content-security-policy', 'cache-control', 'referrer-policy'];

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** In wire names. */
  readonly body?: object;
}

/** Calls the sandbox, a process of its own, by the paths under which the product publishes its routes. */
export class SandboxClient {
  constructor(private readonly url: string) {}

  /** @throws AppError as the sandbox responds; `service.unavailable` without a response */
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

  /** Responds with a page of the sandbox. */
  async forwardPage({ url, headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await this.request(url, { headers: { accept: headers.accept ?? '*/*' } });
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.status(response.status).send(Buffer.from(await response.arrayBuffer()));
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, init);
    } catch (cause) {
      throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
    }
  }
}

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS;
