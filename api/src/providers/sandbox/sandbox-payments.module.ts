import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BillingClock } from '../billing-clock.js';
import { PAYMENTS_CONFIG } from '../payments.config.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxPaymentsController } from './sandbox-payments.controller.js';
import { SandboxServer } from './sandbox-server.js';

@Module({
  controllers: [SandboxPaymentsController],
  providers: [PAYMENTS_CONFIG, SandboxClock, SandboxServer, { provide: BillingClock, useExisting: SandboxClock }],
  exports: [BillingClock],
})
export class SandboxPaymentsModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly server: SandboxServer,
  ) {}

  onModuleInit(): Promise<void> {
    return this.server.mount(this.adapter.httpAdapter.getInstance<FastifyInstance>());
  }
}
