import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encode, videoTools } from '../test/clips.js';
import { enhanceVideo } from '../video/enhance-video.js';
import { FILES } from '../video/files.js';
import { probeVideo } from '../video/probe-video.js';

const run = promisify(execFile);
const tools = await videoTools();
const { signal } = new AbortController();
const COLOR = [192, 64, 48] as const;
/** Levels that 4:2:0 of 8 bits and two conversions may change. */
const ROUNDING = 5;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-colors-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Encoder options for a flat picture of red, green and blue. */
const SOURCES = {
  'a full range, which AV1 states': ['-vf', 'scale=out_range=pc:out_color_matrix=bt601,format=yuv420p', ...av1()],
  'red, green and blue in H.264': ['-c:v', 'libx264rgb', '-preset', 'ultrafast'],
  'red, green and blue in QuickTime Animation': ['-c:v', 'qtrle', '-pix_fmt', 'rgb24', '-f', 'mov'],
} as const;

function av1(): readonly string[] {
  return ['-color_range', 'pc', '-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime'];
}

/** The middle as players show it: by the stated matrix, else that of its height. */
async function shownColor(path: string): Promise<number[]> {
  const { source, height } = await probeVideo(tools, path, { folder: root, signal });
  const { space } = source.colors;
  const matrix = (space ?? (height >= 720 ? 'bt709' : 'bt601')) === 'bt709' ? 'bt709' : 'bt601';
  const filter = `scale=in_color_matrix=${matrix}:in_range=tv,format=rgb24,crop=1:1`;
  const parameters = ['-v', 'error', '-i', path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-'];
  const { stdout } = await run(tools.ffmpeg, parameters, { encoding: 'buffer' });
  return [...stdout];
}

it.each(Object.entries(SOURCES))(
  'a video with %s keeps its colors, as its copy for pages does',
  async (name, options) => {
    const folder = await mkdtemp(join(root, 'video-'));
    const path = join(folder, 'source.mp4');
    const [red, green, blue] = COLOR;
    const hex = [red, green, blue].map((level) => level.toString(16).padStart(2, '0')).join('');
    // From 720 lines on, players assume BT.709.
    const size = name.includes('AV1') ? '64x64' : '64x720';
    await encode(
      ['-f', 'lavfi', '-i', `color=0x${hex}:size=${size}:rate=5:duration=0.4,format=rgb24`, ...options],
      path,
    );
    await enhanceVideo(tools, () => Promise.reject(new Error('networks were opened')), {
      path,
      folder,
      aiPipeline: { backgroundEnhance: { model: 'base' } },
      plan: { recipe: 'signal', estimatedSeconds: 1 },
      maxSide: 1920,
      signal,
      onUpdate: () => undefined,
    });
    for (const file of [FILES.result, FILES.displayInput]) {
      const shown = await shownColor(join(folder, file));
      for (const [at, level] of COLOR.entries())
        expect(Math.abs((shown[at] ?? 0) - level)).toBeLessThanOrEqual(ROUNDING);
    }
  },
);
