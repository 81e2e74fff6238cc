import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { rawScope } from '../../platform/http/raw-scope.js';
import { SandboxClient } from '../../platform/sandbox/sandbox-client.js';
import { PaymentsConfig } from '../payments.config.js';
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
const SCRIPTS = ['stripe.js', 'paypal.js', 'recaptcha.js'];

@Injectable()
export class SandboxServer {
  private readonly client: SandboxClient;

  constructor(
    { sandboxUrl }: PaymentsConfig,
    private readonly clock: SandboxClock,
  ) {
    this.client = new SandboxClient(sandboxUrl, (headers) => clock.follow(headers.get(CLOCK_HEADER)));
  }

  async mount(fastify: FastifyInstance): Promise<void> {
    fastify.addHook('onRequest', async ({ headers }) => this.clock.follow(headers[CLOCK_HEADER]));
    await rawScope(fastify, (scope) => {
      for (const script of SCRIPTS) {
        scope.get(`${BASE}/scripts/${script}`, (request, reply) => this.client.forward(request, reply));
      }
      scope.post(`${BASE}/paypal-sdk/*`, (request, reply) => this.client.forward(request, reply));
      for (const page of PAGES) {
        scope.route({
          method: ['GET', 'POST'],
          url: `${BASE}/pages/${page}`,
          handler: (request, reply) => this.client.forward(request, reply),
        });
      }
    });
  }

  call<Schema extends z.ZodType>(path: string, response: Schema, body?: object): Promise<z.output<Schema>> {
    return this.client.call(`${BASE}${path}`, response, body && { method: 'POST', body });
  }
}
