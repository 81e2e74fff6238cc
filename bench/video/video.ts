/**
 * Needs ffmpeg. `--clips FOLDER`: MP4 files of good quality; those that are too short or small are skipped. Else a
 * generated clip.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locateVideoTools } from '../../worker/dist/video/locate.js';
import { probeVideo } from '../../worker/dist/video/probe-video.js';
import { publish } from '../support/results.ts';
import { BenchWork, H264 } from './bench-work.ts';
import { measurePriority, measureSpeeds } from './speed.ts';

const { signal } = new AbortController();
/** Shortest clip with known truth, and what is measured of it. */
const SECONDS = { least: 2, most: 8 } as const;
const LEAST_WIDTH = 480;

export async function benchVideo(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...options], options: { clips: { type: 'string' } } });
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-bench-'));
  try {
    const work = new BenchWork(tools, folder);
    const clips = values.clips ? await selectClips(work, resolve(values.clips)) : [await generateClip(work)];
    const [first] = clips;
    if (first === undefined) throw new Error(`no clip of at least ${SECONDS.least} s and ${LEAST_WIDTH} pixels`);
    const text = [`ffmpeg ${tools.version}`, await measureSpeeds(work, first), await measurePriority(work, first)];
    await publish('video', 'Videos', text.join('\n\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function selectClips(work: BenchWork, folder: string): Promise<string[]> {
  const selected: string[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.mp4')).sort()) {
    const source = join(folder, name);
    const metadata = await probeVideo(work.tools, source, { folder: work.folder, signal }).catch(() => null);
    if (!metadata || metadata.duration < SECONDS.least || metadata.width < LEAST_WIDTH || metadata.isVariableFrameRate)
      continue;
    const path = work.file(name);
    await work.ffmpeg('-i', source, '-t', String(SECONDS.most), '-map', '0:v:0', '-c', 'copy', path);
    selected.push(path);
  }
  return selected;
}

async function generateClip(work: BenchWork): Promise<string> {
  const path = work.file('generated.mp4');
  await work.ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=size=640x360:rate=25', '-t', '4', ...H264, '-crf', '12', path);
  return path;
}
