import { type AddressInfo, createServer, type Server } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseConfig } from '../config/database.config.js';
import { databaseOptions } from './database.module.js';

const message = (type: string, body: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};
/** Accepts a client and terminates at once. */
const ACCEPT_AND_TERMINATE = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', 'I'),
  message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0'),
]);

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.once('data', () => socket.end(ACCEPT_AND_TERMINATE)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it('survives a server that terminates while a connection is checked out', async () => {
  const { port } = server.address() as AddressInfo;
  const config = DatabaseConfig.fromEnvironment({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` });
  const pool = new Pool({ ...databaseOptions(config).extra, connectionString: config.url });
  const client = await new Promise<PoolClient>((resolve, reject) =>
    pool.connect((error, client) => (client ? resolve(client) : reject(error))),
  );
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  await pool.end();
});
