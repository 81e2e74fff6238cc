import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';

/**
 * An emptied database of a real Redis, 16 to 19: the tests of the api, whose queues have the same names, run beside
 * these with the first ones. Each test file uses another.
 */
export async function testRedis(database: number): Promise<string> {
  const given = process.env.TEST_REDIS_URL;
  if (!given) throw new Error('TEST_REDIS_URL is missing: the URL of a Redis that tests may empty');
  const url = new URL(given);
  url.pathname = `/${database}`;
  const client = new Redis(url.href);
  await client.flushdb();
  client.disconnect();
  return url.href;
}

export interface RedisProxy {
  readonly url: string;
  /** Resolves when a command gets no answer, see `answersUntil`. */
  readonly unanswered: Promise<void>;
  cut(): void;
  /** Connections stay, and new ones open, but nothing arrives on either side. Resolves when something has vanished. */
  swallow(): Promise<void>;
  restore(): void;
  close(): Promise<void>;
}

interface RedisProxyOptions {
  /** A part of the last answer that is sent on each connection. */
  answersUntil?: string;
}

export async function startRedisProxy(redisUrl: string, options: RedisProxyOptions = {}): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const unanswered = Promise.withResolvers<void>();
  const open = new Set<Socket>();
  let isCut = false;
  let swallow: (() => void) | null = null;
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
    }
    near.on('data', (data) => {
      if (swallow) swallow();
      else far.write(data);
    });
    let isAnswered = true;
    far.on('data', (data) => {
      if (swallow) return;
      if (!isAnswered) return unanswered.resolve();
      isAnswered = !options.answersUntil || !data.includes(options.answersUntil);
      near.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const disconnectAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    unanswered: unanswered.promise,
    cut() {
      isCut = true;
      disconnectAll();
    },
    swallow() {
      return new Promise((resolve) => {
        swallow = resolve;
      });
    },
    restore() {
      isCut = false;
      swallow = null;
    },
    async close() {
      disconnectAll();
      server.close();
      await once(server, 'close');
    },
  };
}
