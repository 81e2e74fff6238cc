import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MAX_WAIT_SECONDS, TIME_LIMITS } from '@clearframe/contract';
import type { ServerBuild } from '@remix-run/node';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../test/backend.ts';
import { settingsFor } from '../test/context.ts';
import { configureTimeouts, createApp } from './app.ts';
import { builtAssets } from './assets.ts';

/** Nothing is sent for a minute: each limit on the way has to be longer. */
test('the longest wait for a result passes with the limits of production', async () => {
  const backend = await startBackend((_request, response) => {
    setTimeout(() => response.writeHead(202).end(), MAX_WAIT_SECONDS * 1000);
  });
  backend.server.setTimeout(TIME_LIMITS.silence.api);
  const pages = { build: {} as ServerBuild, assets: builtAssets('/nonexistent'), allowsInlineStyles: false };
  const app = createApp({ settings: settingsFor(backend.url), logger: pino({ level: 'silent' }), pages });
  const server = app.listen(0, '127.0.0.1');
  configureTimeouts(server);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const headers = { prefer: `wait=${MAX_WAIT_SECONDS}` };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/web/enhance`, { method: 'POST', headers, body: 'bytes' });
  expect(answer.status).toBe(202);
});
