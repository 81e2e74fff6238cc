import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const STANDBY = 'ops/launcher/start/standby.mjs';

describe('a standby', () => {
  /** @type {string} */
  let folder;
  /** @type {import('node:child_process').ChildProcess} */
  let standby;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'clearframe-standby-'));
    const manifest = path.join(folder, 'package.json');
    writeFileSync(manifest, JSON.stringify({ dependencies: { 'left-out': '1.0.0' } }));
    writeFileSync(path.join(folder, 'main.mjs'), "process.send('running'); process.disconnect();");
    standby = fork(STANDBY, [manifest, path.join(folder, 'main.mjs')], { execArgv: [] });
  });
  afterEach(() => {
    standby.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('runs the main module once told to', async () => {
    standby.send('start');
    expect(await once(standby, 'message')).toEqual(['running', undefined]);
    expect(await once(standby, 'exit')).toEqual([0, null]);
  });

  it('ends with the launcher without running it', async () => {
    standby.on('message', () => expect.unreachable());
    standby.disconnect();
    expect(await once(standby, 'exit')).toEqual([0, null]);
  });
});
