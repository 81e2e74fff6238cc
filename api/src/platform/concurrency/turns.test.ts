import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

describe('turns', () => {
  it('come one after the other under one key, in the order asked for, also after a failure', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const act = (name: string, fails = false) =>
      turns.take('a', async () => {
        seen.push(`${name} begins`);
        await new Promise(setImmediate);
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const all = await Promise.allSettled([act('1'), act('2', true), act('3')]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  });

  it('do not wait for those of others', async () => {
    const turns = new Turns();
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = turns.take('a', () => promise);
    expect(await turns.take('b', async () => 'done')).toBe('done');
    resolve();
    await held;
  });
});
