import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { DatabaseConfig } from '../../../src/platform/config/database.config.js';
import { RunNotifications } from '../../../src/runs/settlement/run-notifications.js';

it('checks a run while PostgreSQL accepts connections but does not respond', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const config = DatabaseConfig.fromEnvironment({ DATABASE_URL: `postgres://user@127.0.0.1:${port}/none` });
  const notifications = new RunNotifications(config);
  expect(await notifications.waitFor('run', 0, async () => 'completed')).toBe('completed');
  if (sockets.length === 0) await once(silent, 'connection');
  for (const socket of sockets) socket.destroy();
  silent.close();
  await notifications.onApplicationShutdown();
});
