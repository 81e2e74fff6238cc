import { describe, expect, it } from 'vitest';
import { AiEngine } from '../inference/engine.js';
import { EnginePool, poolFor } from './enhancer.js';

const poolOf = (count: number) => new EnginePool(Array.from({ length: count }, () => new AiEngine()));

describe('the pool for a picture', () => {
  const networks = poolOf(1);
  const light = poolOf(1);
  const pools = { networks, light };

  it('has all networks for pixels to restore', () => {
    expect(poolFor(pools, false)).toBe(networks);
  });

  it('is for light work only while the others are busy', async () => {
    expect(poolFor(pools, true)).toBe(networks);
    await networks.use(async () => expect(poolFor(pools, true)).toBe(light));
    expect(poolFor(pools, true)).toBe(networks);
  });

  it('is the open one in a worker that serves one kind of work', async () => {
    const closed = poolOf(0);
    expect(poolFor({ networks: closed, light }, false)).toBe(light);
    await networks.use(async () => expect(poolFor({ networks, light: closed }, true)).toBe(networks));
  });
});

describe('concurrent calls', () => {
  function hold(pool: EnginePool) {
    const [released, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<AiEngine>()];
    const done = pool.use(async (engine) => {
      taken.resolve(engine);
      await released.promise;
    });
    return { engine: taken.promise, release: released.resolve, done };
  }

  it('have a process each', async () => {
    const pool = poolOf(2);
    const calls = [hold(pool), hold(pool)];
    expect(new Set(await Promise.all(calls.map(({ engine }) => engine))).size).toBe(2);
    for (const { release } of calls) release();
    await Promise.all(calls.map(({ done }) => done));
  });

  it('wait for the first process that becomes free, not behind a slow picture', async () => {
    const pool = poolOf(2);
    const [slow, quick] = [hold(pool), hold(pool)];
    const next = hold(pool);
    quick.release();
    expect(await next.engine).toBe(await quick.engine);
    expect(await next.engine).not.toBe(await slow.engine);
    for (const { release, done } of [slow, next]) {
      release();
      await done;
    }
  });

  it('find the process free after a failure', async () => {
    const pool = poolOf(1);
    await expect(pool.use(() => Promise.reject(new Error('crashed')))).rejects.toThrow('crashed');
    expect(pool.isIdle).toBe(true);
    await expect(pool.use(async () => 'done')).resolves.toBe('done');
  });
});
