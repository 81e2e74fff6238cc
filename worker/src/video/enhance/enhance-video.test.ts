import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoPipeline } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClipName, clip, frameTimes, removeClips, turned, videoTools } from '../../test/clips.js';
import { probeVideo } from '../probe/probe-video.js';
import { enhanceVideo } from './enhance-video.js';
import { FILES } from './files.js';

const tools = await videoTools();
const noNetworks = () => Promise.reject(new Error('networks were opened'));
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-enhance-'));
});
afterAll(async () => {
  await removeClips();
  await rm(root, { recursive: true, force: true });
});

async function enhance(
  path: string,
  aiPipeline: VideoPipeline = { backgroundEnhance: { model: 'base' } },
  maxSide = 1920,
) {
  const folder = await mkdtemp(join(root, 'video-'));
  const { signal } = new AbortController();
  const fractions: number[] = [];
  const outcome = await enhanceVideo(tools, noNetworks, {
    path,
    folder,
    aiPipeline,
    plan: { recipe: 'signal', estimatedSeconds: 1 },
    maxSide,
    signal,
    onUpdate: (update) => update.type === 'progress' && fractions.push(update.fraction),
  });
  const result = join(folder, FILES.result);
  const facts = await probeVideo(tools, result, { folder, signal });
  const display = await probeVideo(tools, join(folder, FILES.displayInput), { folder, signal });
  return { outcome, folder, result, facts, display, fractions };
}

async function expectSameTimes(original: string, result: string): Promise<void> {
  const [before, after] = [await frameTimes(original), await frameTimes(result)];
  expect(after).toHaveLength(before.length);
  for (const [at, time] of before.entries()) expect(after[at]).toBeCloseTo(time, 3);
}

describe('an enhanced video', () => {
  it.each<ClipName>(['plain', 'variable', 'oneFrame', 'twoSounds'])(
    '%s has the times and sound of its original',
    async (name) => {
      const path = await clip(name);
      const original = await probeVideo(tools, path, { folder: root, signal: new AbortController().signal });
      const { facts, result, fractions, outcome } = await enhance(path);
      await expectSameTimes(path, result);
      expect(Math.abs(facts.duration - original.duration)).toBeLessThanOrEqual(1 / original.frameRate);
      expect(facts.source.audio.map(({ codec }) => codec)).toEqual(original.source.audio.map(({ codec }) => codec));
      expect(facts).toMatchObject({ codec: 'h264', isBrowserPlayable: true, contentType: 'video/mp4' });
      expect(fractions.at(-1)).toBe(1);
      expect(outcome).toMatchObject({ recipe: 'signal', tools: ['backgroundEnhance'], facesFollowed: 0 });
    },
  );

  it('is upright, with square pixels and even sides', async () => {
    const path = join(root, 'turned.mp4');
    await writeFile(path, turned(await readFile(await clip('silent'))));
    expect((await enhance(path)).facts).toMatchObject({ width: 72, height: 128, rotation: 0 });
    expect((await enhance(await clip('anamorphic'), {})).facts).toMatchObject({ width: 256, height: 72 });
    expect((await enhance(await clip('odd'), {})).facts).toMatchObject({ width: 126, height: 70 });
  });

  it('is no larger than ordered, and says so', async () => {
    const { facts, outcome, folder } = await enhance(await clip('wide'), {});
    expect([facts.width, facts.height]).toEqual([1920, 80]);
    expect(outcome.notes).toEqual(['scaled_down']);
    const files = [FILES.displayInput, FILES.poster, FILES.result, FILES.thumbnail];
    expect(await readdir(folder)).toEqual(expect.arrayContaining(files));
  });

  it('plays in browsers where its original does not', async () => {
    const hevc = await enhance(await clip('hevc'), {});
    for (const facts of [hevc.facts, hevc.display])
      expect(facts).toMatchObject({ isBrowserPlayable: true, codec: 'h264' });
    await expectSameTimes(await clip('hevc'), hevc.result);
    const pcm = await enhance(await clip('pcm'), {});
    expect(pcm.outcome.notes).toEqual(['audio_transcoded']);
    expect(pcm.display.isBrowserPlayable).toBe(true);
  });

  it('of a high dynamic range is mapped to BT.709', async () => {
    const { facts, outcome } = await enhance(await clip('hdr'));
    expect(outcome.notes).toEqual(['hdr_tone_mapped']);
    expect(facts).toMatchObject({
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
