import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createDatabase, type OwnDatabase } from '../../test/support/stores/stores.js';
import { until } from '../../test/support/until.js';
import { DatabaseConfig } from '../platform/database/database.module.js';
import { notifySettled, RunNotifications } from './run-notifications.js';

let database: OwnDatabase;
let settling: DataSource;
const servers: Server[] = [];
const listening: RunNotifications[] = [];
beforeAll(async () => {
  database = await createDatabase();
  settling = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(listening.splice(0).map((notifications) => notifications.onApplicationShutdown()));
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await settling.destroy();
  await database.drop();
});

function notificationsAt(url: string): RunNotifications {
  const notifications = new RunNotifications(DatabaseConfig.fromEnvironment({ DATABASE_URL: url }));
  listening.push(notifications);
  return notifications;
}

async function serve(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('checks a run while PostgreSQL accepts connections but does not respond', async () => {
  const sockets: Socket[] = [];
  const connected = Promise.withResolvers<void>();
  const host = await serve((socket) => {
    sockets.push(socket);
    connected.resolve();
  });
  const notifications = notificationsAt(`postgres://user@${host}/none`);
  expect(await notifications.waitFor('run', 0, async () => 'completed')).toBe('completed');
  await connected.promise;
  for (const socket of sockets) socket.destroy();
});

it('wakes a request that waits in another process, without checking again by itself', async () => {
  // Neither the recheck nor the deadline comes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const notifications = notificationsAt(database.url);
  const listener = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
  let isSettled = false;
  const checked = Promise.withResolvers<void>();
  const waiting = notifications.waitFor('of-this-run', 60_000, async () => {
    checked.resolve();
    return isSettled || undefined;
  });
  await checked.promise;
  vi.useRealTimers();
  await until(async () => (await settling.query(listener)).length === 1, 'the other process to listen');
  isSettled = true;
  await settling.transaction((manager) => notifySettled(manager, 'of-another-run'));
  await settling.transaction((manager) => notifySettled(manager, 'of-this-run'));
  expect(await waiting).toBe(true);
});

it('stops waiting at once when the client leaves or the process ends', async () => {
  // Neither the recheck nor the deadline comes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const notifications = notificationsAt(database.url);
  const left = new AbortController();
  const [abandoned, ended] = [left.signal, undefined].map((signal) =>
    notifications.waitFor('run', 60_000, async () => undefined, signal),
  );
  left.abort();
  expect(await abandoned).toBeUndefined();
  notifications.beforeApplicationShutdown();
  expect(await ended).toBeUndefined();
});

it('ends a connection on which it can not listen, and listens on another', async () => {
  const target = new URL(database.url);
  const ended = Promise.withResolvers<void>();
  let connections = 0;
  const host = await serve((inbound) => {
    const isFirst = ++connections === 1;
    const outbound = connect(Number(target.port), target.hostname);
    // PostgreSQL rejects the changed statement.
    inbound.on('data', (bytes) =>
      outbound.write(
        isFirst ? Buffer.from(bytes.toString('latin1').replace('LISTEN clear', 'LISTEX clear'), 'latin1') : bytes,
      ),
    );
    outbound.pipe(inbound);
    for (const socket of [inbound, outbound]) socket.on('error', () => undefined);
    inbound.on('close', () => {
      outbound.destroy();
      if (isFirst) ended.resolve();
    });
  });
  const url = new URL(target);
  url.host = host;
  let isSettled = false;
  const waiting = notificationsAt(url.href).waitFor('run', 60_000, async () => isSettled || undefined);
  await ended.promise;
  const listener = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`;
  await until(async () => (await settling.query(listener)).length === 1, 'the next connection to listen');
  isSettled = true;
  await settling.transaction((manager) => notifySettled(manager, 'run'));
  expect(await waiting).toBe(true);
});
