import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { rawScope } from '../platform/http/raw-scope.js';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';

@Module({})
export class SandboxTicketsModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly sandbox: SandboxClient,
  ) {}

  static at(sandboxUrl: string): DynamicModule {
    const client = { provide: SandboxClient, useFactory: () => new SandboxClient(sandboxUrl) };
    return { module: SandboxTicketsModule, providers: [client] };
  }

  async onModuleInit(): Promise<void> {
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) => {
      scope.get('/api/sandbox/pages/tickets', (request, reply) => this.sandbox.forward(request, reply));
    });
  }
}
