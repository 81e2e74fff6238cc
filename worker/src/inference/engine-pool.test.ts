import { describe, expect, it } from 'vitest';
import { AiEngine } from './engine.js';
import { EnginePool, poolFor } from './engine-pool.js';

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
