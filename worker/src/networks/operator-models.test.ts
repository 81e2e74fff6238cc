import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRaster, crop, type Raster } from '../rasters/raster.js';
import { degrade, difference, portrait } from '../test/quality.js';
import { runPipeline } from '../tools/pipeline/pipeline.js';
import { restoreAligned } from './aligned-restoration.js';
import { type ModelEntry, modelsFolder, type Role, readManifest } from './manifest.js';
import { Sessions } from './sessions.js';
import { enlarge } from './super-resolution.js';

const scratch = await mkdtemp(join(tmpdir(), 'clearframe-operator-'));
afterAll(() => rm(scratch, { recursive: true }));
const fixtures = fileURLToPath(new URL('../../test/fixtures/', import.meta.url));
const shipped = await readManifest(modelsFolder());

const PICTURE = { meaning: 'RGB picture', layout: 'NCHW', dtype: 'float32' } as const;
const LICENSE = { spdx: 'Apache-2.0', notice: 'licences/operator.txt' };
const FACE = { ...PICTURE, range: [-1, 1], shape: [1, 3, 512, 512] } as const;

/** Inputs and outputs of GFPGAN 1.4, GPEN-512 and RestoreFormer++. */
const ALIGNED_FACE = {
  id: 'aligned-face',
  role: 'restore-face',
  alignment: 'ffhq',
  input: { name: 'input', ...FACE },
  outputs: [{ name: 'output', ...FACE }],
};
/** Inputs and outputs of CodeFormer. */
const WEIGHTED_FACE = {
  ...ALIGNED_FACE,
  id: 'weighted-face',
  parameters: [{ name: 'w', dtype: 'float64', values: [0.5] }],
};
/** Inputs and outputs of realesr-general-x4v3. */
const ENLARGER = {
  id: 'enlarger-x4',
  role: 'restore-photo',
  scale: 4,
  input: { name: 'input', ...PICTURE, range: [0, 1], shape: [1, 3, 'height', 'width'] },
  outputs: [{ name: 'output', ...PICTURE, range: [0, 1], shape: [1, 3, '4*height', '4*width'] }],
};

type Draft = Readonly<Record<string, unknown>> & { readonly id: string };

async function sessionsWith(draft: Draft, bytes?: Uint8Array): Promise<Sessions> {
  const content = bytes ?? (await readFile(join(fixtures, `${draft.id}.onnx`)));
  await writeFile(join(scratch, `${draft.id}.onnx`), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const own = { version: '1', file: `${draft.id}.onnx`, sha256, bytes: content.length, licence: LICENSE, ...draft };
  const others = shipped.models.map((entry) => ({
    ...entry,
    file: relative(scratch, join(shipped.folder, entry.file)),
  }));
  await writeFile(join(scratch, 'manifest.json'), JSON.stringify({ schemaVersion: 1, models: [...others, own] }));
  return new Sessions(await readManifest(scratch), 2);
}

const cornerOf = ({ data }: Raster): number[] => [...data.subarray(0, 3)];

async function restored(draft: Draft): Promise<{ before: Raster; after: Raster }> {
  const sessions = await sessionsWith(draft);
  // Around the face.
  const before = crop(await portrait(), { x: 33, y: 20, width: 220, height: 220 });
  const [session, mesh] = [await sessions.get('restore-face'), await sessions.get('face-mesh')];
  return { before, after: await restoreAligned(session, mesh, before) };
}

/** Mean of a channel in the middle, unaffected by enlarging and rotation. */
function meanMiddle(raster: Raster): number {
  const side = Math.round(raster.width / 10);
  const at = Math.round((raster.width - side) / 2);
  const { data } = crop(raster, { x: at, y: at, width: side, height: side });
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}

describe("operators' models", () => {
  it('run a restorer of aligned faces in its range, and blend the face in', async () => {
    const { before, after } = await restored(ALIGNED_FACE);
    expect(after.width).toBeGreaterThan(before.width);
    expect(Math.abs(meanMiddle(after) - (255 - meanMiddle(before)))).toBeLessThan(3);
    expect(cornerOf(after)).toEqual(cornerOf(before));
  });

  it('pass parameters to a network', async () => {
    const { before, after } = await restored(WEIGHTED_FACE);
    expect(Math.abs(meanMiddle(after) - (127.5 + (meanMiddle(before) - 127.5) / 2))).toBeLessThan(3);
  });

  it('leave a picture without a face to the other networks', async () => {
    const sessions = await sessionsWith(ALIGNED_FACE);
    const gray = createRaster(100, 100);
    const [session, mesh] = [await sessions.get('restore-face'), await sessions.get('face-mesh')];
    expect(await restoreAligned(session, mesh, gray)).toBe(gray);
  });

  it('enlarge a picture of any size', async () => {
    const sessions = await sessionsWith(ENLARGER);
    const picture = crop(await portrait(), { x: 0, y: 0, width: 90, height: 70 });
    const result = await enlarge(await sessions.get('restore-photo'), picture, {
      limits: { size: 40, feather: 6, context: 10 },
    });
    expect([result.width, result.height]).toEqual([360, 280]);
    const firstOf = ({ data }: Raster, pixel: number): number[] => [...data.subarray(pixel * 3, pixel * 3 + 3)];
    expect(firstOf(result, 41 * 360 + 41)).toEqual(firstOf(picture, 10 * 90 + 10));
  });

  it.each(['coreml', 'cuda'])(
    'are run by the processor where the machine lacks %s, with a warning',
    async (provider) => {
      const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      onTestFinished(() => warned.mockRestore());
      const sessions = new Sessions(shipped, { providers: [provider] });
      const session = await sessions.get('segment-person');
      expect(session.entry.role).toBe('segment-person');
      await sessions.get('face-mesh');
      expect(warned.mock.calls).toEqual([
        [expect.stringMatching(new RegExp(`^WORKER_INFERENCE_PROVIDERS: .*${provider}`, 'i'))],
      ]);
    },
  );

  it('take part in face enhancement', async () => {
    const sessions = await sessionsWith(ALIGNED_FACE);
    const input = await degrade(await portrait(), { blur: 2.5, reduction: 4, noise: 5, jpeg: 70 });
    const { faces, raster } = await runPipeline(
      sessions,
      input,
      { faceEnhance: { model: 'base' } },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    expect(faces).toHaveLength(1);
    expect(difference(raster, input)).toBeGreaterThan(1);
  });
});

const DIFFERENT_HASH = 'a'.repeat(64);
const shapes = (shape: ModelEntry['input']['shape']) => [{ name: 'output', ...FACE, shape }];

describe('an invalid model fails the start with one sentence', () => {
  it.each<[string, Draft, RegExp]>([
    [
      'another hash',
      { ...ENLARGER, sha256: DIFFERENT_HASH },
      /enlarger-x4\.onnx has SHA-256 \w+, but the manifest says aaa/,
    ],
    ['a missing file', { ...ENLARGER, file: 'absent.onnx' }, /absent\.onnx cannot be read: ENOENT/],
    [
      'an input of another size',
      {
        ...ALIGNED_FACE,
        input: { name: 'input', ...FACE, shape: [1, 3, 256, 256] },
        outputs: shapes([1, 3, 256, 256]),
      },
      /\(aligned-face\) has input as float32\[1, 3, 512, 512\], but the manifest says float32\[1, 3, 256, 256\]$/,
    ],
    [
      'fewer outputs',
      { ...ENLARGER, outputs: [...ENLARGER.outputs, { ...ENLARGER.outputs[0], name: 'mask' }] },
      /\(enlarger-x4\) has 1 outputs, but the manifest says 2 \(mask\)$/,
    ],
    [
      'a parameter that the manifest lacks',
      { ...WEIGHTED_FACE, parameters: undefined },
      /\(weighted-face\) has the inputs x, w, one of which must remain beside the parameters \(none\)$/,
    ],
    [
      'a parameter that the file lacks',
      { ...ALIGNED_FACE, parameters: [{ name: 'w', dtype: 'float64', values: [1] }] },
      /\(aligned-face\) has no input w$/,
    ],
    [
      'a parameter of another type',
      { ...WEIGHTED_FACE, parameters: [{ name: 'w', dtype: 'float32', values: [1] }] },
      /has w as float64\[1\], but the manifest says float32\[1\]$/,
    ],
  ])('%s', async (_, draft, message) => {
    const failing = sessionsWith(draft).then((sessions) => sessions.get(draft.role as Role));
    await expect(failing).rejects.toMatchObject({ name: 'ModelFileError', message: expect.stringMatching(message) });
    await expect(failing).rejects.not.toThrow(/\n/);
  });

  it('a file that is no ONNX', async () => {
    const failing = sessionsWith(ENLARGER, Buffer.from('no network')).then((sessions) => sessions.get('restore-photo'));
    await expect(failing).rejects.toThrow(/^The model enlarger-x4 cannot be loaded by cpu: [^\n]+$/);
  });

  it.each<[string, Draft, RegExp]>([
    ['no scale and no alignment', { ...ENLARGER, scale: undefined }, /it needs a scale or an alignment$/],
    ['an alignment for whole pictures', { ...ALIGNED_FACE, role: 'restore-photo' }, /only faces can be aligned$/],
    ['one channel', { ...ENLARGER, input: { ...ENLARGER.input, shape: [1, 1, 'height', 'width'] } }, /three channels$/],
    [
      'a role for which it has other tensors',
      { ...ENLARGER, role: 'face-mesh' },
      /cannot have the role face-mesh: its tensors/,
    ],
    ['a role that does not exist', { ...ENLARGER, role: 'upscale' }, /models\.\d+\.role: /],
  ])('%s', async (_, draft, message) => {
    const failing = sessionsWith(draft);
    await expect(failing).rejects.toMatchObject({ name: 'ModelFileError', message: expect.stringMatching(message) });
    await expect(failing).rejects.not.toThrow(/\n/);
  });
});
