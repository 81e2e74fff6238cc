import { describe, expect, it } from 'vitest';
import { cacheFolder, isNewEnough, quote } from './redis.mjs';

describe('Redis', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', true],
    ['Redis server v=6.2.0 sha=00000000:0', true],
    ['Redis server v=6.0.16 sha=00000000:0', false],
    ['Redis server v=5.0.14', false],
    ['Valkey server v=8.1.1 sha=00000000:0', true],
    ['Redis server v=10.0.0', true],
    ['command not found', false],
  ])('%s is new enough: %s', (line, expected) => {
    expect(isNewEnough(line)).toBe(expected);
  });

  it('is cached in the cache folder of the user', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/cache', HOME: '/home/ada' })).toBe('/cache/clearframe/redis');
    expect(cacheFolder({ HOME: '/home/ada' })).toBe('/home/ada/.cache/clearframe/redis');
  });

  it('reads quoted folder names', () => {
    expect(quote('/a "b" \\c')).toBe('"/a \\"b\\" \\\\c"');
  });
});
