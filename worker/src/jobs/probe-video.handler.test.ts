import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { objectKeys } from '@clearframe/contract';
import { openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidImageError } from '../image/errors.js';
import { Metrics } from '../platform/metrics.js';
import { clip, removeClips, videoTools } from '../test/clips.js';
import { StubPrograms } from '../test/programs.js';
import { FfmpegInterruptedError } from '../video/run.js';
import { ProbeVideoHandler } from './probe-video.handler.js';
import type { VideoHost } from './video-host.js';

const tools = await videoTools();
let programs: StubPrograms;
beforeAll(async () => {
  programs = await StubPrograms.create();
});
afterAll(async () => {
  await removeClips();
  await programs.remove();
});

async function probeWith(scripts: Parameters<StubPrograms['toolsWith']>[1]) {
  const store = await openObjectStore(new StorageConfig({ driver: 'disk', root: join(programs.folder, 'media') }));
  const host: Pick<VideoHost, 'tools' | 'plan' | 'prepareToPlan'> = {
    tools: await programs.toolsWith(tools, scripts),
    prepareToPlan: () => undefined,
    plan: async () => ({ recipe: 'signal', estimatedSeconds: 1 }),
  };
  const subjectId = randomUUID();
  const inputKey = objectKeys.input(subjectId);
  await store.put(inputKey, createReadStream(await clip('silent')));
  return new ProbeVideoHandler(store, host as VideoHost, new Metrics()).handle(
    { subjectId, runId: randomUUID(), inputKey, aiPipeline: {} },
    { signal: new AbortController().signal, log: pino({ level: 'silent' }), progress: () => undefined },
  );
}

describe('reading a video', () => {
  it('answers what its packets say', async () => {
    expect(await probeWith({})).toMatchObject({ width: 128, height: 72, frameCount: 10, frameRate: 10 });
  });

  it.each(['ffprobe', 'ffmpeg'])('leaves the file for another attempt when %s is killed', async (name) => {
    await expect(probeWith({ [name]: 'kill -KILL $$' })).rejects.toBeInstanceOf(FfmpegInterruptedError);
  });

  it.each(['ffprobe', 'ffmpeg'])('rejects the file when %s rejects it', async (name) => {
    const rejected = probeWith({ [name]: 'exit 1' });
    await expect(rejected).rejects.toBeInstanceOf(InvalidImageError);
    await expect(rejected).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });
});
