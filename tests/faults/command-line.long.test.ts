import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { pluginKeyRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Clearframe } from '../../client/src/index.ts';
import { ApiClient } from '../support/api-client.ts';
import { subscribe } from '../support/payments/purchases.ts';
import type { ServiceName } from '../support/product/product.ts';
import { until } from '../support/product/until.ts';
import { useFaults } from './faults.ts';

const MAIN = fileURLToPath(new URL('../../client/src/cli/main.ts', import.meta.url));
const PICTURES = 50;
/** What is killed after how many results. */
const KILLS: readonly (readonly [number, ServiceName])[] = [
  [5, 'worker'],
  [15, 'api'],
  [25, 'redis'],
];
const WIDTH = 120;

const faults = useFaults();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-cli-'));
  await mkdir(join(folder, 'photos'));
  for (let index = 0; index < PICTURES; index++) {
    const create = { width: WIDTH, height: 90, channels: 3, background: { r: index * 5, g: 122, b: 153 } } as const;
    await writeFile(join(folder, 'photos', `${index}.jpg`), await sharp({ create }).jpeg().toBuffer());
  }
});
afterAll(() => rm(folder, { recursive: true }));

it('the command line makes each of fifty results once while worker, api and Redis are killed', async () => {
  const account = await ApiClient.logIn(faults.product.url, 'photographer@example.com');
  await subscribe(account, 'business');
  const { key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
  const args = [MAIN, 'enhance', 'photos', '--out', 'out', '--upscale', '2', '--jobs', '4'];
  const env = { HOME: folder, CLEARFRAME_API_KEY: key, CLEARFRAME_URL: faults.product.url };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const errors = text(child.stderr);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  for (const [results, service] of KILLS) {
    await until(`${results} results`, async () => lines.length >= results || child.exitCode !== null);
    await faults.killer.replace(service);
  }
  expect([(await ended)[0], await errors]).toEqual([0, '']);

  const names = Array.from({ length: PICTURES }, (_, index) => `${index}.jpg`).sort();
  expect(lines.map((line) => /^✓ (\S+) → /.exec(line)?.[1] ?? line).sort()).toEqual(names);
  const files = await readdir(join(folder, 'out'));
  expect(files.filter((name) => !name.startsWith('.')).sort()).toEqual(names);
  for (const name of names) expect((await sharp(join(folder, 'out', name)).metadata()).width).toBe(2 * WIDTH);
  const enhanced: unknown[] = [];
  for await (const task of new Clearframe({ apiKey: key, baseUrl: faults.product.url }).tasks.list()) {
    // An announcement is repeated when `api` was killed before its answer was stored. The first one's task never gets a file.
    if (task.status !== 'started') enhanced.push([task.input.file_name, task.status, task.result.outputs.length]);
    else expect(task.result.outputs).toEqual([]);
  }
  expect(enhanced.sort()).toEqual(names.map((name) => [name, 'completed', 1]));
});
