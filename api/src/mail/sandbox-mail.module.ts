import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { rawScope } from '../platform/http/raw-scope.js';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';
import { MAIL_PATH, SandboxMailController } from './sandbox-mail.controller.js';

@Module({ controllers: [SandboxMailController] })
export class SandboxMailModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly sandbox: SandboxClient,
  ) {}

  static at(sandboxUrl: string): DynamicModule {
    const client = { provide: SandboxClient, useFactory: () => new SandboxClient(sandboxUrl) };
    return { module: SandboxMailModule, providers: [client] };
  }

  async onModuleInit(): Promise<void> {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request, reply) => {
      const isPage = request.url.split('?', 1)[0] === MAIL_PATH && request.headers.accept?.includes('text/html');
      return isPage ? this.sandbox.forward(request, reply) : undefined;
    });
    await rawScope(fastify, (scope) => {
      scope.get('/api/sandbox/pages/mail/:id', (request, reply) => this.sandbox.forward(request, reply));
    });
  }
}
