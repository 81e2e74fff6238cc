import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseConfig, databaseOptions } from './database.module.js';

const message = (type: string, body: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};
const ACCEPT = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);
const ACCEPT_AND_TERMINATE = Buffer.concat([ACCEPT, message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')]);

async function startServer(accept: (socket: Socket) => void): Promise<Pool> {
  const server = createServer((socket) => socket.once('data', () => accept(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = DatabaseConfig.fromEnvironment({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` });
  const pool = new Pool({ ...databaseOptions(config).extra, query_timeout: 100, connectionString: config.url });
  // TypeORM also listens for errors of idle connections.
  pool.on('error', () => undefined);
  return pool;
}

it('survives a server that terminates while a connection is checked out', async () => {
  const pool = await startServer((socket) => socket.end(ACCEPT_AND_TERMINATE));
  const client = await new Promise<PoolClient>((resolve, reject) =>
    pool.connect((error, client) => (client ? resolve(client) : reject(error))),
  );
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  await pool.end();
});

it('closes a connection whose query gets no answer', async () => {
  const closed = Promise.withResolvers<void>();
  const pool = await startServer((socket) => {
    socket.write(ACCEPT);
    socket.resume().once('close', () => closed.resolve());
  });
  const client = await pool.connect();
  await expect(client.query('SELECT 1')).rejects.toThrow('timeout');
  await closed.promise;
  client.release();
  await expect.poll(() => pool.totalCount).toBe(0);
  await pool.end();
});

it('waits for a server that is slow to accept connections', async () => {
  const connecting = Promise.withResolvers<Socket>();
  const pool = await startServer(connecting.resolve);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const checkout = pool.connect();
  const socket = await connecting.promise;
  vi.advanceTimersByTime(7_000);
  socket.write(ACCEPT);
  (await checkout).release(true);
  vi.useRealTimers();
  await pool.end();
});
