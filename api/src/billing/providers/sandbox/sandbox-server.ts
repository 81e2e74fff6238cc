import { ERRORS, type ErrorCode, fromWire, Problem } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../../platform/errors/app-error.js';
import { rawScope } from '../../../platform/http/raw-scope.js';
import { PaymentsConfig } from '../port/payments.config.js';
import { CLOCK_HEADER, SandboxClock } from './sandbox-clock.js';

const BASE = '/api/sandbox';
const PAGES = [
  'checkout',
  'authenticate',
  'portal/:token',
  'wallet/subscription',
  'wallet/charge',
  'wallet/automatic-payments',
];
const STRIPE_SCRIPT = `${BASE}/scripts/stripe.js`;
const FORWARDED_HEADERS = ['content-type', 'location', 'content-security-policy', 'cache-control', 'referrer-policy'];

/** Forwards to the sandbox, a process of its own, and follows its clock. */
@Injectable()
export class SandboxServer {
  constructor(
    private readonly config: PaymentsConfig,
    private readonly clock: SandboxClock,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    fastify.addHook('onRequest', async ({ headers }) => this.clock.follow(headers[CLOCK_HEADER]));
    await rawScope(fastify, (scope) => {
      scope.get(STRIPE_SCRIPT, (request, reply) => this.forward(request, reply));
      for (const page of PAGES) {
        scope.route({
          method: ['GET', 'POST'],
          url: `${BASE}/pages/${page}`,
          handler: (request, reply) => this.forward(request, reply),
        });
      }
    });
  }

  /** @throws AppError as the sandbox responds */
  async call<Schema extends z.ZodType>(path: string, response: Schema, body?: object): Promise<z.output<Schema>> {
    const answer = await this.request(`${BASE}${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    this.clock.follow(answer.headers.get(CLOCK_HEADER));
    const json: unknown = await answer.json();
    if (answer.ok) return response.parse(fromWire(response, json));
    const { errorCode, errorDescription, details } = Problem.parse(fromWire(Problem, json));
    if (!isErrorCode(errorCode)) throw new AppError('service.internal', { internal: errorDescription });
    throw new AppError(errorCode, { description: errorDescription, ...(details && { details }) });
  }

  private async forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const chunks: Buffer[] = [];
    for await (const chunk of request.raw) chunks.push(chunk);
    const answer = await this.request(request.url, {
      method: request.method,
      redirect: 'manual',
      ...(chunks.length > 0 && {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        body: Buffer.concat(chunks),
      }),
    });
    for (const name of FORWARDED_HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.status(answer.status).send(await answer.text());
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.config.sandboxUrl}${path}`, init);
    } catch (cause) {
      throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
    }
  }
}

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS;
