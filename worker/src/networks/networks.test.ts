import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { crop, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { limitGain } from '../test/limit-gain.js';
import { entryForRole, modelsFolder, ROLES, type Role, readManifest, readVerified } from './manifest.js';
import { Sessions } from './sessions.js';
import { enlarge } from './super-resolution.js';

const goldenSchema = z.record(
  z.string(),
  z.array(z.object({ mean: z.number(), magnitude: z.number(), samples: z.array(z.number()) })),
);
const goldenFile = new URL('../../test/fixtures/golden-outputs.json', import.meta.url);
const folder = modelsFolder();
const shipped = await readManifest(folder);
const sessions = new Sessions(shipped, 2);
const scratch = await mkdtemp(join(tmpdir(), 'clearframe-networks-'));
afterAll(() => rm(scratch, { recursive: true }));

/** Smooth waves with an edge, a fixed input that excites every layer. */
function picture(side: number, [low, high]: readonly [number, number], channels = 3): Float32Array {
  const planes = new Float32Array(channels * side * side);
  for (let channel = 0, at = 0; channel < channels; channel++) {
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++, at++) {
        const wave = 0.5 + 0.3 * Math.sin((x * (channel + 1)) / 9) * Math.cos(y / 7) + (x > y ? 0.2 : -0.2);
        planes[at] = low + (high - low) * Math.min(1, Math.max(0, wave));
      }
    }
  }
  return planes;
}

function extremes(data: Uint8Array): [number, number] {
  return data.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [255, 0],
  );
}

const TOLERANCE = 1e-3;

describe('the clock of networks', () => {
  it('tells apart what runs at the same time, and counts that time once', async () => {
    const { clock } = sessions;
    const networks = await Promise.all(
      (['restore-detail', 'restore-photo'] as const).map((role) => sessions.get(role)),
    );
    const recorded = networks.map(() => new Set<Role>());
    const [start, before] = [performance.now(), clock.total];
    await Promise.all(
      networks.map((session, index) =>
        clock.record(recorded[index] ?? new Set(), () => session.run(picture(64, [0, 1]), [1, 3, 64, 64])),
      ),
    );
    expect(recorded).toEqual([new Set(['restore-detail']), new Set(['restore-photo'])]);
    expect(clock.total - before).toBeLessThanOrEqual(performance.now() - start);
    expect(clock.total - before).toBeGreaterThan(0);
  });
});

describe('the network that restores faces', () => {
  it('leaves the event loop to others while it runs', async () => {
    const session = await sessions.get('restore-face');
    const running = session.run(picture(48, [0, 1]), [1, 3, 48, 48]);
    let turns = 0;
    const waiting = running.then(() => 'ended');
    while ((await Promise.race([waiting, turn('running')])) === 'running') turns++;
    // A call that blocks takes one.
    expect(turns).toBeGreaterThan(5);
  });
});

describe('the converted networks', () => {
  it.each(shipped.models)('$id still gives the outputs recorded at its conversion', async (entry) => {
    const { id, role, input, outputs } = entry;
    const session = await new Sessions({ folder, models: [entry] }, 2).get(role);
    const size = input.shape[2];
    const side = typeof size === 'number' ? size : role === 'restore-face' || role === 'find-damage' ? 32 : 24;
    const channels = role === 'restore-frame' ? 1 : 3;
    const results = await session.run(picture(side, input.range ?? [0, 1], channels), [1, channels, side, side]);
    const golden = goldenSchema.parse(JSON.parse(await readFile(goldenFile, 'utf8')));
    expect(results).toHaveLength(outputs.length);
    for (const [index, result] of results.entries()) {
      const expected = golden[id]?.[index];
      const tolerance = TOLERANCE * Math.max(1, expected?.magnitude ?? 0);
      const step = Math.floor(result.length / 10) || 1;
      const samples = [...result].filter((_, at) => at % step === 0).slice(0, 10);
      expect(expected?.samples).toHaveLength(samples.length);
      for (const [at, sample] of samples.entries()) {
        expect(Math.abs(sample - (expected?.samples[at] ?? Number.NaN))).toBeLessThan(tolerance);
      }
      const mean = result.reduce((sum, value) => sum + value, 0) / result.length;
      expect(Math.abs(mean - (expected?.mean ?? Number.NaN))).toBeLessThan(tolerance);
    }
  });

  it('keeps a flat gray picture flat across tiles, and gray once its mean is restored', async () => {
    const session = await sessions.get('restore-photo');
    const input = { width: 90, height: 70, data: new Uint8Array(90 * 70 * 3).fill(128) };
    const output = await enlarge(session, input, { limits: { size: 40, feather: 6, context: 10 } });
    expect([output.width, output.height]).toEqual([360, 280]);
    const [least, most] = extremes(output.data);
    expect(most - least).toBeLessThanOrEqual(4);
    // The pipeline, too, resizes to a picture that was halved first, then limits.
    const result = await resize(output, 180, 140, 'cubic');
    const reference = { ...result, data: new Uint8Array(result.data.length).fill(128) };
    limitGain(result, reference, { maxGain: 1.25, allowance: 0.5, radius: 6 });
    for (const value of extremes(result.data)) expect(Math.abs(value - 128)).toBeLessThanOrEqual(1);
  });

  it('shows no seams: tiled and single runs agree', async () => {
    const session = await sessions.get('restore-photo');
    const input = waves(80);
    const whole = await enlarge(session, input, { limits: { size: 80, feather: 6, context: 12 } });
    const tiled = await enlarge(session, input, { limits: { size: 44, feather: 6, context: 12 } });
    const worst = whole.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (tiled.data[at] ?? 0))), 0);
    expect(worst).toBeLessThanOrEqual(6);
  });

  it('sees a part of a picture as it sees the whole, and leaves the rest interpolated', async () => {
    const session = await sessions.get('restore-photo');
    const input = waves(80);
    const limits = { size: 80, feather: 6, context: 12 };
    const whole = await enlarge(session, input, { limits });
    const partial = await enlarge(session, input, { limits, part: { x: 30, y: 20, width: 40, height: 48 } });
    const interpolated = await resize(input, 320, 320, 'cubic');
    const inside = { x: 120, y: 80, width: 160, height: 192 };
    expect(greatestDifference(crop(partial, inside), crop(whole, inside))).toBeLessThanOrEqual(6);
    for (const beside of [
      { x: 0, y: 0, width: 320, height: 80 },
      { x: 0, y: 80, width: 120, height: 192 },
      { x: 280, y: 80, width: 40, height: 192 },
      { x: 0, y: 272, width: 320, height: 48 },
    ]) {
      expect(greatestDifference(crop(partial, beside), crop(interpolated, beside))).toBe(0);
    }
    expect(greatestDifference(whole, interpolated)).toBeGreaterThan(6);
  });
});

function waves(side: number): Raster {
  const planes = picture(side, [0, 255]);
  const at = (index: number) => (index % 3) * side * side + Math.floor(index / 3);
  const data = Uint8Array.from({ length: planes.length }, (_, index) => planes[at(index)] ?? 0);
  return { width: side, height: side, data };
}

function greatestDifference(one: Raster, other: Raster): number {
  return one.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (other.data[at] ?? 0))), 0);
}

describe('the manifest', () => {
  it('rejects a file with a wrong hash and names it', async () => {
    const manifest = await readManifest(folder);
    const entry = manifest.models.find((model) => model.role === 'segment-person');
    if (!entry) throw new Error('no entry');
    await writeFile(join(scratch, 'changed.onnx'), 'other bytes');
    const reading = readVerified({ ...manifest, folder: scratch }, { ...entry, file: 'changed.onnx' });
    await expect(reading).rejects.toThrow(/changed\.onnx has SHA-256/);
  });

  it('has a model of every role for every execution provider', () => {
    for (const role of ROLES) expect(entryForRole(shipped, role, 'cuda').providers).toBeUndefined();
  });

  it('gives the last model of a role that the execution provider has', () => {
    const entry = entryForRole(shipped, 'restore-face', 'cpu');
    const models = [entry, { ...entry, id: 'for-processors', providers: ['cpu'] }];
    expect(entryForRole({ ...shipped, models }, 'restore-face', 'cpu').id).toBe('for-processors');
    expect(entryForRole({ ...shipped, models }, 'restore-face', 'cuda').id).toBe(entry.id);
  });

  it('rejects an invalid manifest', async () => {
    await writeFile(join(scratch, 'manifest.json'), '{"models": 3}');
    await expect(readManifest(scratch)).rejects.toThrow(/manifest\.json is invalid/);
    await expect(readManifest(join(scratch, 'nowhere'))).rejects.toThrow(/cannot be read/);
  });
});
