import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIDEO_CAPS } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clip, removeClips, turned, videoTools } from '../test/clips.js';
import { StubPrograms } from '../test/programs.js';
import { readPacketTimes } from './packets.js';
import { probeVideo } from './probe-video.js';

const tools = await videoTools();
const { signal } = new AbortController();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-probe-'));
});
afterAll(async () => {
  await removeClips();
  await rm(folder, { recursive: true, force: true });
});

const probe = (path: string) => probeVideo(tools, path, { folder, signal });

describe('probing a video', () => {
  it('reads size, times and tracks', async () => {
    expect(await probe(await clip('plain'))).toMatchObject({
      contentType: 'video/mp4',
      width: 128,
      height: 72,
      frameCount: 10,
      frameRate: 10,
      isVariableFrameRate: false,
      rotation: 0,
      codec: 'h264',
      isHdr: false,
      isBrowserPlayable: true,
    });
    expect((await probe(await clip('silent'))).duration).toBeCloseTo(1, 2);
    expect((await probe(await clip('twoSounds'))).source.audio).toHaveLength(2);
  });

  it('applies rotation and the shape of pixels', async () => {
    const path = join(folder, 'rotated.mp4');
    await writeFile(path, turned(await readFile(await clip('silent'))));
    expect(await probe(path)).toMatchObject({ width: 72, height: 128, rotation: 90 });
    expect(await probe(await clip('anamorphic'))).toMatchObject({ width: 256, height: 72 });
    expect(await probe(await clip('odd'))).toMatchObject({ width: 126, height: 70 });
  });

  it("reports what browsers can't play", async () => {
    expect(await probe(await clip('hevc'))).toMatchObject({ codec: 'hevc', isBrowserPlayable: false });
    expect(await probe(await clip('pcm'))).toMatchObject({ contentType: 'video/quicktime', isBrowserPlayable: false });
    expect(await probe(await clip('hdr'))).toMatchObject({ isHdr: true, isBrowserPlayable: false });
  });

  it('detects a variable frame rate and a single frame', async () => {
    expect(await probe(await clip('variable'))).toMatchObject({ isVariableFrameRate: true });
    const one = await probe(await clip('oneFrame'));
    expect([one.frameCount, one.isVariableFrameRate]).toEqual([1, false]);
    expect(one.duration).toBeCloseTo(0.1, 3);
  });

  it('reads the beginning of a file with any number of frames', async () => {
    const line = 'packet|codec_type=video|stream_index=0|pts_time=%.2f|duration_time=0.04|flags=K_\\n';
    const programs = await StubPrograms.create();
    const endless = await programs.toolsWith(tools, {
      ffprobe: `exec awk 'BEGIN { for (n = 0; ; n++) printf "${line}", n * 0.04 }'`,
    });
    const limits = { folder, signal, timeoutMs: 600_000, maxBytes: 0 };
    const times = await readPacketTimes(endless, 'endless.mp4', 0, limits);
    expect(times.frameCount).toBe(VIDEO_CAPS.maxReadFrames);
    expect(times.duration).toBeCloseTo(VIDEO_CAPS.maxReadFrames * 0.04, 3);
    await programs.remove();
  });

  it('reads packets of a program that ends before the stream is known', async () => {
    const path = await clip('silent');
    const limits = { folder, signal, timeoutMs: 600_000, maxBytes: 0 };
    // Starts later, and has been read to its end when the index becomes known.
    const other = () => readPacketTimes(tools, path, 0, limits);
    const index = Promise.resolve().then(other);
    const late = await readPacketTimes(
      tools,
      path,
      index.then(() => 0),
      limits,
    );
    expect(late).toEqual(await index);
    const refused = new Error('no stream');
    await expect(readPacketTimes(tools, path, Promise.reject(refused), limits)).rejects.toBe(refused);
  });

  it('counts packets where the header claims another duration', async () => {
    const bytes = await readFile(await clip('silent'));
    // Version 0: the duration follows times and scale, in a track its number.
    for (const [box, offset] of Object.entries({ mvhd: 20, tkhd: 24, mdhd: 20 })) {
      bytes.writeUInt32BE(1, bytes.indexOf(box) + offset);
    }
    const path = join(folder, 'lying.mp4');
    await writeFile(path, bytes);
    expect((await probe(path)).duration).toBeCloseTo(1, 1);
  });
});
