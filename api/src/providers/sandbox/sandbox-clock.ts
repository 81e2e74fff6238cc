import { inMilliseconds } from '@clearframe/contract';
import {
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BillingClock } from '../billing-clock.js';

/** Billing time minus real time, in responses and webhooks of the sandbox. */
export const CLOCK_HEADER = 'x-sandbox-clock-offset';

/**
 * Real time plus an offset that only grows. Other processes may have moved the sandbox's clock, so it is read every
 * second, too.
 */
class SandboxClock extends BillingClock implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SandboxClock.name);
  private offsetMs = 0;
  private isReading = false;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly adapter: HttpAdapterHost,
  ) {
    super();
  }

  /** Follows webhooks, and responses that are forwarded. */
  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async ({ headers }) => this.follow(headers[CLOCK_HEADER]));
    fastify.addHook('onSend', async (_request, reply) => this.follow(reply.getHeader(CLOCK_HEADER)));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh(), inMilliseconds.seconds(1));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  private async refresh(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      const signal = AbortSignal.timeout(inMilliseconds.seconds(5));
      const { headers } = await fetch(`${this.url}/api/sandbox/clock`, { signal });
      this.follow(headers.get(CLOCK_HEADER));
      this.isFailing = false;
    } catch (error) {
      // Once for each outage.
      if (!this.isFailing) this.logger.warn(`the sandbox does not respond: ${(error as Error).message}`);
      this.isFailing = true;
    } finally {
      this.isReading = false;
    }
  }

  /** The clock doesn't go back. @param offsetMs value of the header */
  private follow(offsetMs: unknown): void {
    if (typeof offsetMs === 'string') this.offsetMs = Math.max(this.offsetMs, Number(offsetMs) || 0);
  }
}

export const sandboxClock = (url: string): Provider[] => [
  {
    provide: BillingClock,
    inject: [HttpAdapterHost],
    useFactory: (adapter: HttpAdapterHost) => new SandboxClock(url, adapter),
  },
];
