/**
 * Needs ffmpeg. Clips with known truth: `--clips FOLDER` (MP4 files of good quality; those that are too short or small are
 * skipped), else a generated one.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { locateVideoTools, type VideoTools } from '../../worker/dist/video/ffmpeg/locate.js';
import { fittingSize } from '../../worker/dist/video/frames/filters.js';
import { X264 } from '../../worker/dist/video/frames/frame-writer.js';
import { probeVideo } from '../../worker/dist/video/probe/probe-video.js';
import { enhanceInProcess } from '../../worker/dist/video/process/video-process.js';
import { PeakMemory } from '../support/peak-memory.ts';
import { publish, table } from '../support/results.ts';
import { measureConcurrentImage, type Recipe } from './concurrent-image.ts';
import { compareVideos, measureFaceSteps } from './measures.ts';

import { processorSeconds } from './processor-time.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

const SPEED_CLIP = 'speed.mp4';

const DEGRADED = {
  compressed: ['-vf', 'scale=iw/2:-2:flags=area,scale=iw*2:ih*2:flags=bicubic', '-crf', '34'],
  noisy: ['-vf', 'noise=c0s=14:c0f=t+u', '-crf', '26'],
} as const;
const FFMPEG_FILTERS = 'hqdn3d,unsharp=5:5:0.6';
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-an'] as const;
/** Shortest clip with known truth, and what is measured of it. */
const SECONDS = { least: 2, most: 8 } as const;
const LEAST_WIDTH = 480;
/** No further degradation is measured after this time. */
const BUDGET_S = 170;
/** Length of the speed clip. */
const SHORT_SECONDS = 10;
/** Times that the speed clip is repeated: for a clip longer than any plan allows, as memory must not grow, and beside pictures. */
const LONG = { memory: 18, pictures: 11 } as const;

export async function benchVideo(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...options], options: { clips: { type: 'string' } } });
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-bench-'));
  try {
    const bench = new VideoBench(tools, folder);
    const clips = values.clips ? await bench.select(values.clips) : [await bench.generate()];
    const [first] = clips;
    if (first === undefined) throw new Error(`no clip of at least ${SECONDS.least} s and ${LEAST_WIDTH} pixels`);
    const text = [
      `ffmpeg ${tools.version}`,
      await bench.speed(first),
      await bench.priority(first),
      await bench.quality(clips),
    ];
    await publish('video', 'Videos', text.join('\n\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class VideoBench {
  private readonly tools: VideoTools;
  private readonly folder: string;

  constructor(tools: VideoTools, folder: string) {
    this.tools = tools;
    this.folder = folder;
  }

  async select(folder: string): Promise<string[]> {
    const selected: string[] = [];
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.mp4')).sort()) {
      const metadata = await probeVideo(this.tools, join(folder, name), { folder: this.folder, signal }).catch(
        () => null,
      );
      if (
        !metadata ||
        metadata.duration < SECONDS.least ||
        metadata.width < LEAST_WIDTH ||
        metadata.isVariableFrameRate
      )
        continue;
      const path = join(this.folder, name);
      await this.ffmpeg('-i', join(folder, name), '-t', String(SECONDS.most), '-map', '0:v:0', '-c', 'copy', path);
      selected.push(path);
    }
    return selected;
  }

  async generate(): Promise<string> {
    const path = join(this.folder, 'generated.mp4');
    await this.ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=size=640x360:rate=25', '-t', '4', ...H264, '-crf', '12', path);
    return path;
  }

  /** Ten seconds of 720p, and three minutes by the recipe without networks. */
  async speed(clip: string): Promise<string> {
    const path = await this.repeated(clip);
    const plain = await timed(() => this.ffmpeg('-i', path, ...X264, '-an', join(this.folder, 'plain.mp4')));
    const head = [
      '1280 x 720, 25 frames/s',
      'Seconds',
      'Times the transcode',
      'Processor',
      'Times',
      'Peak MB',
      'Faces',
    ];
    const rows: (readonly (string | number)[])[] = [
      head,
      ['10 s, plain transcode', plain.seconds.toFixed(1), '1.0', plain.processor.toFixed(1), '1.0', '', ''],
    ];
    const add = async (name: string, source: string, recipe: Recipe, times: number) => {
      // This process stands for the worker.
      const memory = new PeakMemory(process.pid);
      let faces = 0;
      const { seconds, processor } = await timed(async () => {
        faces = (await this.enhance(source, recipe)).facesRestored;
      });
      console.error(`${name}: ${seconds.toFixed(1)} s`);
      rows.push([
        name,
        seconds.toFixed(1),
        (seconds / plain.seconds / times).toFixed(1),
        processor.toFixed(1),
        (processor / plain.processor / times).toFixed(1),
        memory.stop(),
        faces,
      ]);
    };
    for (const recipe of ['signal', 'faces'] as const) await add(`10 s, ${recipe}`, path, recipe, 1);
    await add(
      `${LONG.memory * SHORT_SECONDS} s, signal`,
      await this.lengthened(path, LONG.memory),
      'signal',
      LONG.memory,
    );
    const bars =
      'Bars: `faces` at most 60 s on two quiet cores, `signal` at most 3 times the transcode with the same encoder, 800 MB in all processes together.';
    return `${table(rows)}\n\n${bars}`;
  }

  /** A picture beside a running video takes at most twice as long. */
  async priority(clip: string): Promise<string> {
    const faces = await this.repeated(clip);
    const times = await measureConcurrentImage({ faces, signal: await this.lengthened(faces, LONG.pictures) });
    const rows = [['A portrait beside a video', 'Alone, s', 'Beside, s', 'Times']];
    for (const [recipe, { alone, beside }] of times) {
      rows.push([recipe, alone.toFixed(2), beside.toFixed(2), (beside / alone).toFixed(2)]);
    }
    return `${table(rows)}\n\nBar: 2.`;
  }

  private async repeated(clip: string): Promise<string> {
    const path = join(this.folder, SPEED_CLIP);
    const input = ['-stream_loop', '-1', '-i', clip, '-t', String(SHORT_SECONDS), '-vf', 'scale=1280:720,fps=25'];
    await this.ffmpeg(...input, ...H264, '-crf', '23', path);
    return path;
  }

  private async lengthened(clip: string, times: number): Promise<string> {
    const path = join(this.folder, 'speed-long.mp4');
    await this.ffmpeg('-stream_loop', String(times - 1), '-i', clip, '-c', 'copy', path);
    return path;
  }

  async quality(clips: readonly string[]): Promise<string> {
    const head = ['Clip', 'PSNR', 'SSIM', 'Flicker of still parts', 'Steps of faces', 'to source'];
    const rows: (readonly (string | number)[])[] = [head];
    const started = performance.now();
    for (const truth of clips) {
      for (const [kind, degradation] of Object.entries(DEGRADED)) {
        if (performance.now() - started > BUDGET_S * 1000) continue;
        const source = join(this.folder, 'source.mp4');
        await this.ffmpeg('-i', truth, ...H264, ...degradation, source);
        const filtered = join(this.folder, 'filtered.mp4');
        await this.ffmpeg('-i', source, '-vf', FFMPEG_FILTERS, ...H264, '-crf', '20', filtered);
        const results = new Map([
          ['source', source],
          ["ffmpeg's filters", filtered],
        ]);
        for (const recipe of ['signal', 'faces'] as const)
          results.set(recipe, (await this.enhance(source, recipe)).path);
        let sourceSteps = Number.NaN;
        for (const [name, path] of results) {
          const measured = await this.measure(truth, source, path);
          console.error(`${parse(truth).name}, ${kind}, ${name}: SSIM ${measured.ssim.toFixed(4)}`);
          if (name === 'source') sourceSteps = measured.steps;
          rows.push([
            `${parse(truth).name}, ${kind}: ${name}`,
            measured.psnr.toFixed(2),
            measured.ssim.toFixed(4),
            measured.flicker.toFixed(3),
            Number.isNaN(measured.steps) ? '' : measured.steps.toFixed(4),
            Number.isNaN(measured.steps) ? '' : (measured.steps / sourceSteps).toFixed(2),
          ]);
        }
      }
    }
    const bars =
      "Bars: SSIM no less and flicker no more than the source's; steps of faces at most 1.1 times the source's.";
    return `${table(rows)}\n\n${bars}`;
  }

  private async measure(truth: string, source: string, path: string) {
    const metadata = await probeVideo(this.tools, truth, { folder: this.folder, signal });
    const [width, height] = fittingSize(metadata, 1920);
    const reading = { tools: this.tools, folder: this.folder, width, height };
    const steps = await measureFaceSteps(reading, source, path);
    return { ...(await compareVideos(reading, truth, path)), steps };
  }

  private async enhance(path: string, recipe: Recipe): Promise<{ path: string; facesRestored: number }> {
    const folder = await mkdtemp(join(this.folder, `${recipe}-`));
    await mkdir(folder, { recursive: true });
    const base = { model: 'base' } as const;
    const aiPipeline = { backgroundEnhance: base, ...(recipe === 'faces' ? { faceEnhance: base } : {}) };
    const plan = { recipe, estimatedSeconds: 60 };
    const request = { tools: this.tools, path, folder, aiPipeline, plan, maxSide: 1920 };
    const { outcome } = await enhanceInProcess(request, () => undefined, { signal });
    return { path: join(folder, 'result.mp4'), facesRestored: outcome.facesRestored };
  }

  private async ffmpeg(...parameters: string[]): Promise<void> {
    await run(this.tools.ffmpeg, ['-y', '-v', 'error', ...parameters]);
  }
}

/** Seconds by the clock, and of the processor in the processes that the work started. */
async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; processor: number }> {
  const [started, used] = [performance.now(), processorSeconds()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  // Processes count once they have been waited for: so has this one, which ends after those of the work.
  await run('true');
  return { seconds, processor: processorSeconds() - used };
}
