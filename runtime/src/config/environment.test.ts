import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError, count, port, readEnvironment, secret, wholeNumber } from './environment.js';

describe('readEnvironment', () => {
  it('parses values and applies defaults, also for empty strings', () => {
    const schema = z.object({ PORT: port(4000), LIMIT: count(10), THREADS: wholeNumber(1, 8).optional() });
    expect(readEnvironment(schema, { PORT: '0', LIMIT: '', OTHER: 'x' })).toEqual({ PORT: 0, LIMIT: 10 });
  });

  it.each([
    [{ PORT: '70000' }, 'PORT: must be at most 65535'],
    [{ PORT: 'many' }, 'PORT: is not a number'],
    [{ LIMIT: '0' }, 'LIMIT: must be at least 1'],
    [{ LIMIT: '1.5' }, 'LIMIT: is not a whole number'],
    [{ KEY: undefined }, 'KEY: is missing'],
    [{ KEY: '' }, 'KEY: is missing'],
    [{ KEY: 'short' }, 'KEY: needs at least 32 characters'],
  ])('names the unusable variable: %j', (change, message) => {
    const schema = z.object({ PORT: port(4000), LIMIT: count(10), KEY: secret() });
    const read = () => readEnvironment(schema, { KEY: 'x'.repeat(32), ...change });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(message);
  });
});
