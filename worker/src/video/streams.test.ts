import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { box } from '../test/hostile-clips.js';
import { isCutOff } from './streams.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-container-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['frames', 'mdat', true],
  ['the index of a fragment', 'moof', true],
  ['padding', 'free', false],
])('a file that ends within %s', async (_, type, expected) => {
  const path = join(folder, `${type}.mp4`);
  const whole = Buffer.concat([box('ftyp', Buffer.from('mp42\0\0\0\0', 'latin1')), box(type, Buffer.alloc(100))]);
  await writeFile(path, whole);
  expect(await isCutOff(path)).toBe(false);
  await writeFile(path, whole.subarray(0, whole.length - 50));
  expect(await isCutOff(path)).toBe(expected);
});
