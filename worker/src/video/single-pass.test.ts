import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClipName, clip, packetTimes, removeClips, videoTools } from '../test/clips.js';
import { enhanceVideo } from './enhance-video.js';
import { FILES } from './files.js';
import { locatePackagedTools } from './locate.js';

const run = promisify(execFile);
const tools = await videoTools();
const { signal } = new AbortController();
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-pass-'));
});
afterAll(async () => {
  await removeClips();
  await rm(root, { recursive: true, force: true });
});

async function enhance(path: string, programs = tools): Promise<string> {
  const folder = await mkdtemp(join(root, 'video-'));
  await enhanceVideo(programs, () => Promise.reject(new Error('networks were opened')), {
    path,
    folder,
    aiPipeline: { backgroundEnhance: { model: 'base' }, colorEnhance: { model: 'teal' } },
    plan: { recipe: 'signal', estimatedSeconds: 1 },
    maxSide: 1920,
    signal,
    onUpdate: () => undefined,
  });
  return folder;
}

async function meanOf(path: string): Promise<number[]> {
  const frame = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'image2pipe', '-c:v', 'png', '-'];
  const { stdout } = await run(tools.ffmpeg, ['-v', 'error', '-i', path, ...frame], { encoding: 'buffer' });
  const { channels } = await sharp(stdout).removeAlpha().stats();
  return channels.map(({ mean }) => mean);
}

/** Levels: one is what 4:2:0 in 8 bits rounds, two what the codecs lose. */
const NEAR = 3;

it.each<ClipName>(['silent', 'hevc'])('%s has a poster with the look of its result', async (name) => {
  const folder = await enhance(await clip(name));
  const [poster, result] = await Promise.all([FILES.poster, FILES.result].map((file) => meanOf(join(folder, file))));
  for (const [at, level] of (poster ?? []).entries()) expect(Math.abs(level - (result?.[at] ?? 0))).toBeLessThan(NEAR);
});

it.each<ClipName>(['silent', 'hevc', 'mjpeg', 'pcm'])(
  '%s has both files of one pass at its own times, the original without the look, also by the ffmpeg of the npm packages',
  async (name) => {
    const path = await clip(name);
    const [times, original] = [await packetTimes(path, 'v:0'), await meanOf(path)];
    const packaged = await locatePackagedTools();
    for (const programs of [tools, ...(packaged ? [packaged] : [])]) {
      const folder = await enhance(path, programs);
      for (const file of [FILES.result, FILES.displayInput]) {
        const written = await packetTimes(join(folder, file), 'v:0');
        expect(written).toHaveLength(times.length);
        for (const [at, time] of times.entries()) expect(written[at]).toBeCloseTo(time, 3);
      }
      const display = await meanOf(join(folder, FILES.displayInput));
      for (const [at, level] of original.entries()) expect(Math.abs(level - (display[at] ?? 0))).toBeLessThan(NEAR);
    }
  },
);
