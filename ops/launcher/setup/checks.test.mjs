import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkNpm, checkPorts, checkReachable, pickPort, prepareStateFolder } from './checks.mjs';

/** @type {import('node:net').Server} */
let server;
/** @type {number} */
let taken;
beforeEach(async () => {
  server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  taken = typeof address === 'object' && address ? address.port : 0;
});
afterEach(() => {
  server.close();
});

describe('ports', () => {
  it('in use fail with the variable that changes them', async () => {
    await expect(checkPorts({ WEB_PORT: taken })).rejects.toThrow(
      `Port ${taken} is already in use; set WEB_PORT to a free port.`,
    );
  });

  it('that are free pass', async () => {
    await expect(checkPorts({ WEB_PORT: await pickPort() })).resolves.toBeUndefined();
  });
});

describe('a server from the environment', () => {
  it('must be reachable', async () => {
    await expect(checkReachable('REDIS_URL', `redis://127.0.0.1:${taken}`, 6379)).resolves.toBeUndefined();
    const free = await pickPort();
    await expect(checkReachable('REDIS_URL', `redis://127.0.0.1:${free}`, 6379)).rejects.toThrow(
      `REDIS_URL points at 127.0.0.1:${free}, which does not respond (ECONNREFUSED).`,
    );
  });
});

describe('the machine', () => {
  it('must have npm', () => {
    expect(() => checkNpm({ PATH: '/nonexistent' })).toThrow('npm is missing from the PATH');
    expect(() => checkNpm({ PATH: process.env.PATH })).not.toThrow();
  });

  it('must allow the state folder', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'clearframe-checks-'));
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    try {
      expect(() => prepareStateFolder(file)).toThrow(`${file} is not a folder; set CLEARFRAME_DATA`);
      expect(() => prepareStateFolder(path.join(file, 'below'))).toThrow('is not a folder; set CLEARFRAME_DATA');
      expect(() => prepareStateFolder(path.join(folder, 'a/b'))).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps pictures, mails and logs from other users', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'clearframe-checks-'));
    try {
      mkdirSync(path.join(folder, 'media'));
      chmodSync(path.join(folder, 'media'), 0o755);
      prepareStateFolder(folder);
      for (const name of ['logs', 'mail', 'media', 'tmp']) {
        expect(statSync(path.join(folder, name)).mode & 0o777, name).toBe(0o700);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
