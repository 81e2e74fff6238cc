import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clip, encode, removeClips, videoTools } from '../test/clips.js';
import { locatePackagedTools } from './locate.js';
import { probeVideo } from './probe-video.js';
import { readQuantizer } from './quantizer.js';
import { VideoWork } from './video-work.js';

const folder = await mkdtemp(join(tmpdir(), 'clearframe-quantizer-'));
const tools = await videoTools();
const { signal } = new AbortController();
afterAll(async () => {
  await removeClips();
  await rm(folder, { recursive: true, force: true });
});

async function quantizerOf(path: string, programs = tools): Promise<number | null> {
  const metadata = await probeVideo(tools, path, { folder, signal });
  return readQuantizer(new VideoWork(programs, path, folder, metadata, [metadata.width, metadata.height], signal));
}

/** The same quantizer for each frame, whatever its kind. */
const FIXED = {
  libx264: (quantizer: number) => ['-x264-params', `qp=${quantizer}:ipratio=1:pbratio=1`],
  libx265: (quantizer: number) => ['-x265-params', `qp=${quantizer}:ipratio=1:pbratio=1:log-level=none`],
};

it.each(['libx264', 'libx265'] as const)('is read from the slices of %s, also by the ffmpeg of npm', async (codec) => {
  const packaged = await locatePackagedTools();
  if (!packaged) throw new Error('the packages of ffmpeg are not installed');
  for (const quantizer of [22, 38]) {
    const path = join(folder, `${codec}-${quantizer}.mp4`);
    await encode(['-i', await clip('silent'), '-c:v', codec, ...FIXED[codec](quantizer)], path);
    for (const programs of [tools, packaged]) expect(await quantizerOf(path, programs)).toBeCloseTo(quantizer, 0);
  }
});

it('is unknown for other codecs', async () => {
  expect(await quantizerOf(await clip('mjpeg'))).toBeNull();
});
