import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';

/**
 * A database of our own on the test run's real Redis, emptied: other packages' tests use the same queue names beside
 * us. Test files of this package that need Redis name different ones.
 */
export async function testRedis(database: number): Promise<string> {
  const given = process.env.TEST_REDIS_URL;
  if (!given) throw new Error('TEST_REDIS_URL is missing: the address of a Redis that tests may empty');
  const url = new URL(given);
  url.pathname = `/${database}`;
  const client = new Redis(url.href);
  await client.flushdb();
  client.disconnect();
  return url.href;
}

/** A way to Redis that can be cut and mended. */
export interface Line {
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function lineTo(redisUrl: string): Promise<Line> {
  const target = new URL(redisUrl);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(target.port || 6379), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hangUp = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      hangUp();
    },
    mend() {
      isCut = false;
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
