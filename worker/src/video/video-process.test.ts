import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encode, videoTools } from '../test/clips.js';
import { enhanceInProcess, NICENESS } from './video-process.js';

const hook = new URL('../test/run-typescript.mjs', import.meta.url).href;
const environment = {
  NODE_OPTIONS: `--experimental-transform-types --import=${hook} --disable-warning=ExperimentalWarning`,
};
let root: string;
let path: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-process-'));
  path = join(root, 'long.mp4');
  await encode(
    ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=60:duration=30', '-c:v', 'libx264', '-preset', 'ultrafast'],
    path,
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function users(): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return ids.filter((_, at) => lines[at]?.includes(`file:${path}`)).map(Number);
}

/** Null for a process that has ended. */
function priorityOf(id: number): number | null {
  try {
    return getPriority(id);
  } catch {
    return null;
  }
}

it('runs below other work, and is cancelled when its programs have ended', async () => {
  const folder = join(root, 'cancelled');
  await mkdir(folder);
  const controller = new AbortController();
  const plan = { recipe: 'signal', estimatedSeconds: 1 } as const;
  const request = { tools: await videoTools(), path, folder, aiPipeline: {}, plan, maxSide: 1920 };
  const childPath = new URL('./child.ts', import.meta.url);
  const progress = Promise.withResolvers<void>();
  const options = { signal: controller.signal, environment, childPath };
  const running = enhanceInProcess(request, () => progress.resolve(), options);
  // Handles the rejection when the test fails before it awaits the run.
  running.catch(() => undefined);
  await progress.promise;
  // The one that reads the poster may end meanwhile.
  const priorities = (await users()).map(priorityOf).filter((priority) => priority !== null);
  expect(priorities).not.toEqual([]);
  for (const priority of priorities) expect(priority).toBeGreaterThanOrEqual(getPriority() + NICENESS);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect(await users()).toEqual([]);
});

it('leaves no process and no file when the worker is killed', async () => {
  const folder = join(root, 'killed');
  await mkdir(folder);
  const parent = fileURLToPath(new URL('../test/video-parent.ts', import.meta.url));
  const worker = spawn(process.execPath, [parent, path, folder], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  expect(await users()).not.toEqual([]);
  worker.kill('SIGKILL');
  await expect.poll(users).toEqual([]);
  await expect.poll(() => existsSync(folder)).toBe(false);
});
