import { WatchedRedis } from '@clearframe/runtime/redis';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RedisProxy, startRedisProxy, testRedis } from './redis.js';

const OPTIONS = { maxRetriesPerRequest: null, retryStrategy: () => 10 };

let redisUrl: string;
let proxy: RedisProxy;
let client: WatchedRedis;
beforeAll(async () => {
  redisUrl = await testRedis(19);
});
beforeEach(async () => {
  proxy = await startRedisProxy(redisUrl);
});
afterEach(async () => {
  client.disconnect();
  await proxy.close();
});

const emitted = (event: 'ready' | 'close' | 'end') => new Promise((resolve) => client.once(event, resolve));

async function open(times = { everyMs: 10, answerChecks: 3, waitChecks: 1_000 }): Promise<void> {
  client = new WatchedRedis(proxy.url, OPTIONS, times);
  client.on('error', () => undefined);
  await emitted('ready');
}

it('rejects what it could not send again when it ends', async () => {
  // One further attempt.
  const retryStrategy = (attempt: number) => (attempt === 1 ? 10 : null);
  client = new WatchedRedis(proxy.url, { ...OPTIONS, retryStrategy });
  client.on('error', () => undefined);
  await emitted('ready');
  const swallowed = proxy.swallow();
  const lost = client.get('a');
  await swallowed;
  const ended = emitted('end');
  proxy.cut();
  await expect(lost).rejects.toThrow('the connection to Redis has ended');
  await ended;
});

describe('a connection to a Redis that swallows bytes', () => {
  it('is replaced, and its commands are answered when Redis returns', async () => {
    await open();
    proxy.swallow();
    const answer = client.set('a', '1');
    await emitted('close');
    // A new one gets no answer either.
    await emitted('close');
    proxy.restore();
    expect(await answer).toBe('OK');
    expect(await client.get('a')).toBe('1');
  });

  it('is replaced while it is idle', async () => {
    await open();
    proxy.swallow();
    await emitted('close');
    proxy.restore();
    await emitted('ready');
    expect(await client.ping()).toBe('PONG');
  });

  it('is replaced where later answers have taken the place of lost ones', async () => {
    await open({ everyMs: 20, answerChecks: 1_000, waitChecks: 1_000 });
    const swallowed = proxy.swallow();
    const lost = client.echo('lost');
    await swallowed;
    proxy.restore();
    const closed = emitted('close');
    const next = client.echo('next');
    expect(await lost).toBe('next');
    // Each is answered by the answer to the one behind it.
    const traffic = setInterval(() => void client.echo('traffic').catch(() => undefined), 5);
    await closed;
    clearInterval(traffic);
    await next;
    expect(await client.echo('again')).toBe('again');
  });

  it('stays while a command waits for a job', async () => {
    await open({ everyMs: 10, answerChecks: 1, waitChecks: 1_000 });
    let isClosed = false;
    client.once('close', () => {
      isClosed = true;
    });
    expect(await client.bzpopmin('no-such-key', 0.3)).toBeNull();
    expect(isClosed).toBe(false);
  });
});
