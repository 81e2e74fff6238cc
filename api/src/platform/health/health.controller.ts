import { Controller, Get, Header, Injectable, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Metrics } from './metrics.js';

/** Something without which the service can't do its work. `check` rejects while it is away. */
export interface Dependency {
  readonly name: string;
  check(): Promise<unknown>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Where capabilities name what they depend on. */
@Injectable()
export class Readiness {
  private readonly dependencies: Dependency[] = [];

  register(dependency: Dependency): void {
    this.dependencies.push(dependency);
  }

  /** Name → 'up' or 'down'. No check holds up the answer for more than two seconds. */
  async report(): Promise<Record<string, 'up' | 'down'>> {
    const results = await Promise.all(
      this.dependencies.map(async ({ name, check }) => {
        const timeout = new Promise((_, reject) => setTimeout(reject, CHECK_TIMEOUT_MS).unref());
        const state = await Promise.race([check(), timeout]).then(
          () => 'up' as const,
          () => 'down' as const,
        );
        return [name, state] as const;
      }),
    );
    return Object.fromEntries(results);
  }
}

@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** The process answers. */
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The process can do its work: 200, or 503 naming what is away. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    const dependencies = await this.readiness.report();
    const isReady = Object.values(dependencies).every((state) => state === 'up');
    reply.status(isReady ? 200 : 503).header('cache-control', 'no-store');
    if (!isReady) reply.header('retry-after', '2');
    return { status: isReady ? 'ready' : 'not_ready', dependencies };
  }

  /** Prometheus text. Not passed through by `web`, so not public. */
  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
