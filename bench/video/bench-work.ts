import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { VideoPipeline } from '@clearframe/contract';
import type { VideoOutcome } from '../../worker/dist/video/files.js';
import type { VideoTools } from '../../worker/dist/video/locate.js';
import { enhanceInProcess } from '../../worker/dist/video/video-process.js';
import { processorSecondsOfChildren } from '../support/processes.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

export const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-an'] as const;

const base = { model: 'base' } as const;
/** Tools of a measured row, and the recipe that it takes. */
export const PIPELINES = {
  signal: { backgroundEnhance: base },
  frames: { backgroundEnhance: base },
  faces: { faceEnhance: base, backgroundEnhance: base },
  look: { backgroundEnhance: base, colorEnhance: { model: 'golden' } },
} as const satisfies Record<string, VideoPipeline>;
export type Pipeline = keyof typeof PIPELINES;

const RECIPES = { signal: 'signal', look: 'signal', frames: 'frames', faces: 'faces_and_frames' } as const;

/** Programs and a folder for files, both of one run of the benchmark. */
export class BenchWork {
  readonly tools: VideoTools;
  readonly folder: string;

  constructor(tools: VideoTools, folder: string) {
    this.tools = tools;
    this.folder = folder;
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  async enhance(path: string, name: Pipeline): Promise<{ path: string; outcome: VideoOutcome }> {
    const folder = await mkdtemp(join(this.folder, `${name}-`));
    const plan = { recipe: RECIPES[name], estimatedSeconds: 60 } as const;
    const request = { tools: this.tools, path, folder, aiPipeline: PIPELINES[name], plan, maxSide: 1920 };
    const outcome = await enhanceInProcess(request, () => undefined, { signal });
    return { path: join(folder, 'result.mp4'), outcome };
  }

  async ffmpeg(...parameters: string[]): Promise<void> {
    await run(this.tools.ffmpeg, ['-y', '-v', 'error', ...parameters]);
  }

  async repeated(clip: string, seconds: number): Promise<string> {
    const path = this.file(`speed-${seconds}.mp4`);
    const input = ['-stream_loop', '-1', '-i', clip, '-t', String(seconds), '-vf', 'scale=1280:720,fps=25'];
    await this.ffmpeg(...input, ...H264, '-crf', '23', path);
    return path;
  }

  async lengthened(clip: string, times: number): Promise<string> {
    const path = this.file('speed-long.mp4');
    await this.ffmpeg('-stream_loop', String(times - 1), '-i', clip, '-c', 'copy', path);
    return path;
  }
}

/** Seconds by the clock, and of the processor in the processes that the work started. */
export async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; processor: number }> {
  const [started, used] = [performance.now(), processorSecondsOfChildren()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  // Processes count once they have been waited for: so has this one, which ends after those of the work.
  await run('true');
  return { seconds, processor: processorSecondsOfChildren() - used };
}
