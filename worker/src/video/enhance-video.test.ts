import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { VideoPipeline, VideoPlan } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sessions } from '../networks/sessions.js';
import {
  type ClipName,
  clip,
  encode,
  faceClip,
  packetTimes,
  readingTools,
  removeClips,
  turned,
  videoTools,
  withUnreadSound,
} from '../test/clips.js';
import { enhanceVideo } from './enhance-video.js';
import { FILES } from './files.js';
import { locatePackagedTools } from './locate.js';
import { probeVideo } from './probe-video.js';

const [tools, readers] = await Promise.all([videoTools(), readingTools()]);
const COFFEE = new URL('../../test/fixtures/coffee.jpg', import.meta.url);
const run = promisify(execFile);
const { signal } = new AbortController();
const noNetworks = () => Promise.reject(new Error('networks were opened'));
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-enhance-'));
});
afterAll(async () => {
  await removeClips();
  await rm(root, { recursive: true, force: true });
});

interface Change {
  aiPipeline?: VideoPipeline;
  maxSide?: number;
  programs?: typeof tools;
  recipe?: VideoPlan['recipe'];
}

async function enhance(
  path: string,
  { aiPipeline = { backgroundEnhance: { model: 'base' } }, maxSide = 1920, programs = tools, ...given }: Change = {},
) {
  const folder = await mkdtemp(join(root, 'video-'));
  const fractions: number[] = [];
  const recipe = given.recipe ?? (aiPipeline.faceEnhance ? 'faces' : 'signal');
  const outcome = await enhanceVideo(programs, recipe === 'signal' ? noNetworks : () => Sessions.open({}), {
    path,
    folder,
    aiPipeline,
    plan: { recipe, estimatedSeconds: 1 },
    maxSide,
    signal,
    onUpdate: (update) => update.type === 'progress' && fractions.push(update.fraction),
  });
  const result = join(folder, FILES.result);
  return { outcome, folder, result, fractions, metadata: await probe(result, folder) };
}

const probe = (path: string, folder = root) => probeVideo(readers, path, { folder, signal });

/** Mean of the absolute differences of luma. */
async function differenceOf(...paths: readonly [string, string]): Promise<number> {
  const read = async (path: string) => {
    const luma = ['-vf', 'extractplanes=y', '-f', 'rawvideo', '-'];
    return (await run(tools.ffmpeg, ['-v', 'error', '-i', path, ...luma], { encoding: 'buffer' })).stdout;
  };
  const [a, b] = (await Promise.all(paths.map(read))) as [Buffer, Buffer];
  expect(b).toHaveLength(a.length);
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

async function expectSameTimes(original: string, result: string): Promise<void> {
  for (const streams of ['v:0', 'a'] as const) {
    const [before, after] = [await packetTimes(original, streams), await packetTimes(result, streams)];
    expect(after).toHaveLength(before.length);
    for (const [at, time] of before.entries()) expect(after[at]).toBeCloseTo(time, 3);
  }
}

describe('an enhanced video', () => {
  it.each<ClipName>(['plain', 'variable', 'twoSounds', 'lateSound'])(
    '%s has the times and sound of its original',
    async (name) => {
      const path = await clip(name);
      const original = await probe(path);
      const { metadata, result, fractions, outcome, folder } = await enhance(path);
      await expectSameTimes(path, result);
      await expectSameTimes(path, join(folder, FILES.displayInput));
      expect(Math.abs(metadata.duration - original.duration)).toBeLessThanOrEqual(1 / original.frameRate);
      expect(metadata.source.audio.map(({ codec }) => codec)).toEqual(original.source.audio.map(({ codec }) => codec));
      expect(metadata).toMatchObject({ codec: 'h264', isBrowserPlayable: true, contentType: 'video/mp4' });
      expect(fractions.at(-1)).toBe(1);
      expect(outcome).toMatchObject({ recipe: 'signal', tools: ['backgroundEnhance'], facesFollowed: 0 });
    },
  );

  it('has less noise, averaged along the motion, at the times of its original; without noise it is only filtered', async () => {
    const path = await clip('noisy');
    const { metadata, result, outcome } = await enhance(path, { recipe: 'frames' });
    await expectSameTimes(path, result);
    expect(metadata).toMatchObject({ codec: 'h264', isBrowserPlayable: true });
    expect(outcome).toMatchObject({ recipe: 'frames', models: [], facesFollowed: 0 });
    const filtered = await enhance(path, { recipe: 'signal' });
    const truth = await clip('silent');
    const [left, by] = await Promise.all([result, filtered.result].map((file) => differenceOf(truth, file)));
    expect(left).toBeLessThan(by ?? 0);
    expect((await enhance(truth, { recipe: 'frames' })).outcome.recipe).toBe('signal');
  });

  it('has less of what compression left, taken back by a network', async () => {
    const [truth, path, fine] = ['moved', 'compressed', 'fine'].map((name) => join(root, `${name}.mp4`)) as [
      string,
      string,
      string,
    ];
    const photo = ['-framerate', '25', '-loop', '1', '-t', '0.6', '-i', fileURLToPath(COFFEE)];
    const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf'];
    await encode([...photo, '-vf', 'scale=480:-2,crop=320:180:x=2*n:y=40+n', ...h264, '6'], truth);
    await encode(['-i', truth, ...h264, '38'], path);
    await encode(['-i', truth, ...h264, '18'], fine);
    const { outcome, result } = await enhance(path, { recipe: 'frames' });
    expect(outcome).toMatchObject({ recipe: 'frames', models: [{ id: 'frame-restorer' }] });
    await expectSameTimes(path, result);
    const [left, before] = await Promise.all([result, path].map((file) => differenceOf(truth, file)));
    expect(left).toBeLessThan(before ?? 0);
    expect((await enhance(fine, { recipe: 'frames' })).outcome).toMatchObject({ recipe: 'signal', models: [] });
    const untouched = await enhance(path, {
      recipe: 'frames',
      aiPipeline: { backgroundEnhance: { model: 'base', strength: 0 } },
    });
    expect(untouched.outcome.recipe).toBe('signal');
  });

  it('is upright', async () => {
    const path = join(root, 'turned.mp4');
    await writeFile(path, turned(await readFile(await clip('silent'))));
    const { metadata, folder } = await enhance(path);
    expect(metadata).toMatchObject({ width: 72, height: 128, rotation: 0 });
    // Players rotate the copy for pages like its original.
    const display = await probe(join(folder, FILES.displayInput));
    expect(display).toMatchObject({ width: 72, height: 128, rotation: 90 });
  });

  it.each([
    ['square pixels', 'anamorphic', [256, 72]],
    ['even sides', 'odd', [126, 70]],
  ] as const)('has %s', async (_, name, size) => {
    const { metadata } = await enhance(await clip(name), { aiPipeline: {} });
    expect([metadata.width, metadata.height]).toEqual(size);
  });

  it.each([
    ['grow', '128x72', '192x108'],
    ['shrink', '192x108', '128x72'],
  ])('whose frames %s has them all, at the size of the first', async (name, first, second) => {
    const parts = await Promise.all(
      [first, second].map(async (size, at) => {
        const part = join(root, `${name}-${at}.h264`);
        const picture = ['-f', 'lavfi', '-i', `color=red:size=${size}:rate=10:duration=0.5`];
        await encode([...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-bf', '0', '-f', 'h264'], part);
        return readFile(part);
      }),
    );
    const [joined, path] = [join(root, `${name}.h264`), join(root, `${name}.mp4`)];
    await writeFile(joined, Buffer.concat(parts));
    await encode(['-r', '10', '-i', joined, '-c', 'copy'], path);
    const { metadata, result } = await enhance(path, { aiPipeline: {} });
    expect(metadata.frameCount).toBe(10);
    expect(`${metadata.width}x${metadata.height}`).toBe(first);
    await expectSameTimes(path, result);
  });

  it('is no larger than ordered, and says so', async () => {
    const { metadata, outcome, folder } = await enhance(await clip('wide'), { aiPipeline: {} });
    expect([metadata.width, metadata.height]).toEqual([1920, 80]);
    expect(outcome.notes).toEqual(['scaled_down']);
    const files = [FILES.displayInput, FILES.poster, FILES.result, FILES.thumbnail];
    expect(await readdir(folder)).toEqual(expect.arrayContaining(files));
  });

  it.each(['hevc', 'hevc8', 'mjpeg'] as const)('plays in browsers where its original, %s, does not', async (name) => {
    const { result, metadata, folder } = await enhance(await clip(name), { aiPipeline: {} });
    const display = await probe(join(folder, FILES.displayInput));
    for (const each of [metadata, display]) expect(each).toMatchObject({ isBrowserPlayable: true, codec: 'h264' });
    await expectSameTimes(await clip(name), result);
  });

  it('has sound that browsers play', async () => {
    const { outcome, folder } = await enhance(await clip('pcm'), { aiPipeline: {} });
    expect(outcome.notes).toEqual(['audio_transcoded']);
    expect((await probe(join(folder, FILES.displayInput))).isBrowserPlayable).toBe(true);
  });

  it('has the sound that can be read, and says that it lacks the other', async () => {
    const path = join(root, 'unread-sound.mp4');
    await writeFile(path, withUnreadSound(await readFile(await clip('twoSounds'))));
    const { metadata, outcome, folder } = await enhance(path, { aiPipeline: {} });
    expect(metadata.source.audio.map(({ codec }) => codec)).toEqual(['aac']);
    expect(outcome.notes).toEqual(['audio_dropped']);
    expect((await probe(join(folder, FILES.displayInput))).source.audio).toHaveLength(1);
  });

  it('of one frame is as long as its original, also by the ffmpeg of the npm packages', async () => {
    const path = await clip('oneFrame');
    const { duration } = await probe(path);
    const packaged = await locatePackagedTools();
    if (!packaged) throw new Error('the packages of ffmpeg are not installed');
    for (const programs of [tools, packaged]) {
      const { metadata } = await enhance(path, { programs });
      expect(metadata.frameCount).toBe(1);
      expect(metadata.duration).toBeCloseTo(duration, 3);
    }
  });

  it('has the subtitles of its original, with their language, or says that it lacks them', async () => {
    const [lines, path] = [join(root, 'lines.srt'), join(root, 'subtitled.mp4')];
    await writeFile(lines, '1\n00:00:00,200 --> 00:00:00,800\nA line.\n');
    const tracks = [
      '-map',
      '0:v',
      '-map',
      '1:s',
      '-c:v',
      'copy',
      '-c:s',
      'mov_text',
      '-metadata:s:s:0',
      'language=fre',
    ];
    await encode(['-i', await clip('silent'), '-i', lines, ...tracks], path);
    const { metadata, outcome } = await enhance(path, { aiPipeline: {} });
    expect(metadata.source.subtitles).toMatchObject([{ codec: 'mov_text', language: 'fre' }]);
    expect(outcome.notes).toEqual([]);

    const other = join(root, 'other-subtitles.mp4');
    await writeFile(other, (await readFile(path, 'latin1')).replace('tx3g', 'stpp'), 'latin1');
    const dropped = await enhance(other, { aiPipeline: {} });
    expect(dropped.metadata.source.subtitles).toEqual([]);
    expect(dropped.outcome.notes).toEqual(['subtitles_dropped']);
  });

  it('has every followed face restored by networks, at the times of its original', async () => {
    const path = await faceClip();
    const base = { model: 'base' } as const;
    const { outcome, result, metadata, fractions } = await enhance(path, {
      aiPipeline: { faceEnhance: base, backgroundEnhance: base },
    });
    expect(outcome).toMatchObject({ recipe: 'faces', facesFollowed: 1, facesRestored: 1 });
    expect(outcome.models.map(({ id }) => id)).toEqual(expect.arrayContaining(['detail-restorer']));
    expect(metadata).toMatchObject({ isVariableFrameRate: true, codec: 'h264' });
    await expectSameTimes(path, result);
    expect(fractions.at(-1)).toBe(1);
  });

  it('of a file that is cut off has the frames that are there, and says so', async () => {
    const [whole, path] = [join(root, 'index-first.mp4'), join(root, 'cut-off.mp4')];
    await encode(['-i', await clip('silent'), '-c', 'copy', '-movflags', '+faststart'], whole);
    const bytes = await readFile(whole);
    await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const original = await probe(path);
    const { metadata, outcome } = await enhance(path, { aiPipeline: {} });
    expect(original.frameCount).toBeLessThan((await probe(whole)).frameCount);
    expect(Math.abs(metadata.frameCount - original.frameCount)).toBeLessThanOrEqual(1);
    expect(outcome.notes).toEqual(['cut_off']);
  });

  it.each(['hdr', 'hlg'] as const)('of a high dynamic range, %s, is mapped to BT.709', async (name) => {
    const { metadata, outcome } = await enhance(await clip(name));
    expect(outcome.notes).toEqual(['hdr_tone_mapped']);
    expect(metadata).toMatchObject({
      isHdr: false,
      source: { colors: { space: 'bt709', transfer: 'bt709', primaries: 'bt709' } },
    });
  });
});

it('leaves no file of a cancelled video open', async () => {
  const folder = join(root, 'cancelled');
  await mkdir(folder);
  const controller = new AbortController();
  const running = enhanceVideo(tools, noNetworks, {
    path: await clip('plain'),
    folder,
    aiPipeline: {},
    plan: { recipe: 'signal', estimatedSeconds: 1 },
    maxSide: 1920,
    signal: controller.signal,
    onUpdate: () => controller.abort(new Error('enough')),
  });
  await expect(running).rejects.toThrow('enough');
  expect((await stat(folder)).isDirectory()).toBe(true);
});
