import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRaster, type Raster } from '../rasters/raster.js';
import { AiEngine } from './engine.js';

const hook = new URL('../test/run-typescript.mjs', import.meta.url).href;
const childPath = new URL('./child.ts', import.meta.url);
const environment = {
  NODE_OPTIONS: `--import=${hook} --disable-warning=ExperimentalWarning`,
  // Loading all networks takes 3 s of processor time a child; these tests need one of them.
  WORKER_INFERENCE_PRELOAD: 'none',
};

const engine = new AiEngine({ childPath, environment });
const others: AiEngine[] = [];

beforeAll(() => engine.start());
afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.close()));
});
afterAll(() => engine.close());

const BACKGROUND = { backgroundEnhance: { model: 'base' } } as const;

/** Soft, with several tiles. */
function waves(side: number): Raster {
  const raster = createRaster(side, side);
  for (let pixel = 0; pixel < side * side; pixel++) {
    raster.data.fill(128 + 90 * Math.sin((pixel % side) / 9) * Math.cos(pixel / side / 11), pixel * 3, pixel * 3 + 3);
  }
  return raster;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function call(on: AiEngine, side: number, overrides: Partial<Parameters<AiEngine['enhance']>[2]> = {}) {
  return on.enhance(waves(side), BACKGROUND, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...overrides,
  });
}

describe('AiEngine', () => {
  it('runs networks at a lower priority than processes that serve requests', async () => {
    expect(getPriority(await engine.childPid())).toBeGreaterThan(getPriority());
  });

  it('returns the picture, timings and model hashes', async () => {
    const { raster, models, timings } = await call(engine, 120);
    expect([raster.width, raster.height, raster.data.length]).toEqual([120, 120, 120 * 120 * 3]);
    expect(timings.map((timing) => timing.step)).toEqual(['measure', 'background_enhance']);
    expect(models).toEqual([{ id: 'photo-enlarger', version: '1', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it('runs calls in sequence', async () => {
    const order: number[] = [];
    const progress = (index: number) => () => order.push(index);
    await Promise.all([call(engine, 160, { onProgress: progress(1) }), call(engine, 120, { onProgress: progress(2) })]);
    expect(order).toEqual([...order].sort());
    expect(new Set(order).size).toBe(2);
  });

  it('stops between tiles when aborted, and takes the next call', async () => {
    const controller = new AbortController();
    const running = call(engine, 1100, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect(call(engine, 64)).resolves.toBeDefined();
    await expect(call(engine, 64, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('rejects when the child is killed, and starts another for the next call', async () => {
    const pid = await engine.childPid();
    const running = call(engine, 1100, { onProgress: () => pid !== undefined && process.kill(pid, 'SIGKILL') });
    await expect(running).rejects.toMatchObject({ name: 'EngineCrashedError', retryable: true });
    await expect(call(engine, 64)).resolves.toBeDefined();
    expect(await engine.childPid()).not.toBe(pid);
  });

  it('kills a child that makes no progress', async () => {
    const pid = await engine.childPid();
    await expect(call(engine, 1100, { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'EngineTimeoutError',
      retryable: true,
    });
    await expect(call(engine, 64)).resolves.toBeDefined();
    expect(await engine.childPid()).not.toBe(pid);
  });

  it('ends an unused child, and starts another for the next call', async () => {
    const other = new AiEngine({ childPath, environment, idleMs: 1 });
    others.push(other);
    await other.start();
    const pid = await other.childPid();
    await expect(call(other, 64)).resolves.toBeDefined();
    await expect.poll(() => pid && isAlive(pid)).toBe(false);
    await expect(call(other, 64)).resolves.toBeDefined();
  });

  it('waits for a child as long as it reports progress', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let reports = 0;
      const onProgress = () => {
        reports += 1;
        vi.advanceTimersByTime(9_000);
      };
      await expect(call(engine, 1100, { timeoutMs: 10_000, onProgress })).resolves.toBeDefined();
      expect(reports).toBeGreaterThan(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not count the time that a call waits for others against its limit', async () => {
    const minutes = (count: number) => count * 60_000;
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Fakes only `setTimeout` of this process; the child's timers and the measured time are real.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const slow = call(engine, 200, { timeoutMs: minutes(10), onProgress: () => first.resolve() });
      const next = call(engine, 64, { timeoutMs: minutes(1), onProgress: () => second.resolve() });
      await first.promise;
      vi.advanceTimersByTime(minutes(5));
      await slow;
      await expect(next).resolves.toBeDefined();
      await second.promise;
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends the child when its own process is killed', async () => {
    const script = fileURLToPath(new URL('../test/engine-parent.ts', import.meta.url));
    const parent = spawn(process.execPath, [script], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('does not start with models other than those of the manifest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearframe-engine-'));
    try {
      await writeFile(join(folder, 'manifest.json'), '{"schemaVersion": 1, "models": []}');
      const other = new AiEngine({
        childPath,
        environment: { ...environment, WORKER_INFERENCE_PRELOAD: 'all', CLEARFRAME_MODELS_DIR: folder },
      });
      others.push(other);
      await expect(other.start()).rejects.toMatchObject({ name: 'ModelFileError' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
