import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './index.js';

describe('KeyedMutex', () => {
  it('runs work under one key in order, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const seen: string[] = [];
    const act = (name: string, fails = false) =>
      mutex.runExclusive('a', async () => {
        seen.push(`${name} starts`);
        await new Promise(setImmediate);
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const all = await Promise.allSettled([act('1'), act('2', true), act('3')]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends']);
    expect(mutex.size).toBe(0);
  });

  it('runs work under different keys concurrently', async () => {
    const mutex = new KeyedMutex();
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = mutex.runExclusive('a', () => promise);
    expect(await mutex.runExclusive('b', async () => 'done')).toBe('done');
    expect(mutex.size).toBe(1);
    resolve();
    await held;
  });

  it('keeps a key exclusive for work that arrives while the last holder ends', async () => {
    const mutex = new KeyedMutex();
    let running = 0;
    let most = 0;
    const act = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    const first = mutex.runExclusive('a', act).then(() => mutex.runExclusive('a', act));
    await Promise.all([first, mutex.runExclusive('a', act), mutex.runExclusive('a', act)]);
    expect(most).toBe(1);
  });
});
