import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '@clearframe/runtime/config';
import { Readiness } from '@clearframe/runtime/health';
import {
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ServerConfig } from './config.js';
import { Metrics } from './metrics.js';

interface HealthResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const json = (status: number, body: object): HealthResponse => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

@Injectable()
export class HealthServer implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  /** False while other providers are still determining their state. */
  private isInitialized = false;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  constructor(
    private readonly config: ServerConfig,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  async onModuleInit(): Promise<void> {
    this.server.listen(this.config.port, this.config.host);
    await once(this.server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new ConfigurationError(`WORKER_PORT: port ${this.config.port} is in use`)
        : error;
    });
  }

  onApplicationBootstrap(): void {
    this.isInitialized = true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const health = await this.respondTo(request).catch(() => json(500, { status: 'unavailable' }));
    response.writeHead(health.status, { 'content-type': health.contentType, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : health.body);
  }

  private async respondTo({ method, url }: IncomingMessage): Promise<HealthResponse> {
    if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'method not allowed' });
    switch (url?.split('?')[0]) {
      case '/healthz':
        return json(200, { status: 'ok' });
      case '/readyz': {
        const report = this.isInitialized
          ? await this.readiness.report()
          : ({ status: 'not_ready', dependencies: {} } as const);
        return json(report.status === 'not_ready' ? 503 : 200, report);
      }
      case '/metrics':
        return { status: 200, contentType: this.metrics.contentType, body: await this.metrics.text() };
      default:
        return json(404, { status: 'not found' });
    }
  }
}

@Global()
@Module({ providers: [HealthServer, Metrics], exports: [Metrics] })
export class HealthServerModule {}
