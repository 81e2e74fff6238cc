import { Readiness, type ReadinessReport } from '@clearframe/runtime/health';
import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Operational } from '../http/route.decorator.js';
import { Metrics } from './metrics.js';

@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  @Operational()
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 while the process can serve requests, else 503; both name failed checks. */
  @Operational()
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    const isReady = report.status !== 'not_ready';
    reply.status(isReady ? 200 : 503).header('cache-control', 'no-store');
    if (!isReady) reply.header('retry-after', '2');
    return report;
  }

  /** Prometheus text. `web` does not forward it, so it is not public. */
  @Operational()
  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
