/** Needs ffmpeg. Clips with known truth: `--clips FOLDER` (MP4 files of good quality), else generated ones. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { locateVideoTools, type VideoTools } from '../../worker/dist/video/ffmpeg/locate.js';
import { fittingSize } from '../../worker/dist/video/frames/filters.js';
import { probeVideo } from '../../worker/dist/video/probe/probe-video.js';
import { enhanceInProcess } from '../../worker/dist/video/process/video-process.js';
import { publish, table } from '../support/results.ts';
import { compareVideos, measureFaceSteps } from './measures.ts';
import { PeakMemory } from './peak-memory.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

type RecipeName = 'faces' | 'signal';

/** Degradations of a phone's bad light and of a messenger. */
const DEGRADED = {
  compressed: ['-vf', 'scale=iw/2:-2:flags=area,scale=iw*2:ih*2:flags=bicubic', '-crf', '34'],
  noisy: ['-vf', 'noise=c0s=14:c0f=t+u', '-crf', '26'],
} as const;
const FFMPEG_FILTERS = 'hqdn3d,unsharp=5:5:0.6';
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-an'] as const;

export async function benchVideo(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...options], options: { clips: { type: 'string' } } });
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-bench-'));
  try {
    const bench = new VideoBench(tools, folder);
    const clips = values.clips ? await clipsIn(values.clips) : [await bench.generate()];
    const text = [`ffmpeg ${tools.version}`, await bench.speed(clips[0] ?? ''), await bench.quality(clips)].join(
      '\n\n',
    );
    await publish('video', 'Videos', text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function clipsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mp4')).sort();
  return names.map((name) => join(folder, name));
}

class VideoBench {
  private readonly tools: VideoTools;
  private readonly folder: string;

  constructor(tools: VideoTools, folder: string) {
    this.tools = tools;
    this.folder = folder;
  }

  async generate(): Promise<string> {
    const path = join(this.folder, 'generated.mp4');
    await this.ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=size=640x360:rate=25', '-t', '4', ...H264, '-crf', '12', path);
    return path;
  }

  /** Ten seconds of 720p. */
  async speed(clip: string): Promise<string> {
    const path = join(this.folder, 'speed.mp4');
    await this.ffmpeg(
      '-stream_loop',
      '-1',
      '-i',
      clip,
      '-t',
      '10',
      '-vf',
      'scale=1280:720,fps=25',
      ...H264,
      '-crf',
      '23',
      path,
    );
    const plain = await timed(() => this.ffmpeg('-i', path, ...H264, '-crf', '20', join(this.folder, 'plain.mp4')));
    const rows: (readonly (string | number)[])[] = [
      ['10 s, 1280 x 720, 25 frames/s', 'Seconds', 'Times the transcode', 'Peak MB', 'Faces'],
      ['plain transcode', plain.toFixed(1), '1.0', '', ''],
    ];
    for (const recipe of ['signal', 'faces'] as const) {
      const memory = new PeakMemory();
      let faces = 0;
      const seconds = await timed(async () => {
        faces = (await this.enhance(path, recipe)).facesRestored;
      });
      rows.push([recipe, seconds.toFixed(1), (seconds / plain).toFixed(1), memory.stop(), faces]);
    }
    return table(rows);
  }

  async quality(clips: readonly string[]): Promise<string> {
    const head = ['Clip', 'PSNR', 'SSIM', 'Flicker of still parts', 'Steps of faces', 'to source'];
    const rows: (readonly (string | number)[])[] = [head];
    for (const truth of clips) {
      for (const [kind, degradation] of Object.entries(DEGRADED)) {
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
    return table(rows);
  }

  private async measure(truth: string, source: string, path: string) {
    const facts = await probeVideo(this.tools, truth, { folder: this.folder, signal });
    const [width, height] = fittingSize(facts, 1920);
    const reading = { tools: this.tools, folder: this.folder, width, height };
    const steps = await measureFaceSteps(reading, source, path);
    return { ...(await compareVideos(reading, truth, path)), steps };
  }

  private async enhance(path: string, recipe: RecipeName): Promise<{ path: string; facesRestored: number }> {
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
