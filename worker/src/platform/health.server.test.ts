import type { Readiness } from '@clearframe/runtime/health';
import { expect, it } from 'vitest';
import { ServerConfig } from './config.js';
import { HealthServer } from './health.server.js';
import { Metrics } from './metrics.js';

it('is not ready before all providers are, which have yet to find ffmpeg', async () => {
  const readiness: Pick<Readiness, 'report'> = { report: async () => ({ status: 'ready', dependencies: {} }) };
  const server = new HealthServer(new ServerConfig('local', 0, '127.0.0.1'), readiness as Readiness, new Metrics());
  await server.onModuleInit();
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
  expect([await read('/healthz'), await read('/readyz')]).toEqual([200, 503]);
  server.onApplicationBootstrap();
  expect(await read('/readyz')).toBe(200);
  await server.onApplicationShutdown();
});
