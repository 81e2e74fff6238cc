import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets } from './secrets.mjs';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clearframe-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the secrets of a data folder', () => {
  it('are generated once, with 256 bits each, readable by their owner only', () => {
    const first = loadSecrets(folder, {});
    const values = [...Object.values(first.product), first.postgresPassword, first.redisPassword];
    expect(new Set(values).size).toBe(7);
    for (const value of values) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(first.postgresPasswordIsNew).toBe(true);
    expect(loadSecrets(folder, {})).toEqual({ ...first, postgresPasswordIsNew: false });
  });

  it('are overridden by the environment, which is not stored', () => {
    const { product } = loadSecrets(folder, { CLEARFRAME_JWT_SECRET: 'given' });
    expect(product.CLEARFRAME_JWT_SECRET).toBe('given');
    expect(readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('JWT');
  });

  it('are completed, never replaced', () => {
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify({ redisPassword: 'kept', other: 1 }));
    expect(loadSecrets(folder, {}).redisPassword).toBe('kept');
    expect(JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8'))).toMatchObject({ other: 1 });
  });

  it.each(['{broken', '[]', '"text"', 'null', ''])(
    'fail the start when the file holds %j, and are not replaced',
    (text) => {
      const file = path.join(folder, 'secrets.json');
      writeFileSync(file, text);
      expect(() => loadSecrets(folder, {})).toThrow(file);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});
