import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locateVideoTools } from '../../worker/dist/video/locate.js';
import { probeVideo } from '../../worker/dist/video/probe-video.js';
import { publish, table } from '../support/results.ts';
import { BenchWork, H264, type Pipeline } from './bench-work.ts';
import { compareVideos, measureFaceSteps, type VideoMeasures } from './measures.ts';
import { type MovedPhoto, movePhotos, moveSmallFaces } from './moved-photos.ts';

const { signal } = new AbortController();
/** Options of x264 for what happened to a clip. */
const DEGRADED = {
  'compressed 28': ['-crf', '28'],
  'compressed 36': ['-crf', '36'],
  'compressed 42': ['-crf', '42'],
  soft: ['-vf', 'gblur=sigma=1.3', '-crf', '24'],
  noisy: ['-vf', 'noise=c0s=22:c0f=t', '-crf', '20'],
} as const;
const SMALL_FACES = ['-crf', '30'] as const;
const FFMPEG_FILTERS = 'hqdn3d,unsharp=5:5:0.6';
const HEAD = [
  'Clip',
  'PSNR',
  'SSIM',
  'Flicker of still parts',
  'Unsteadiness',
  'Sharpness to source',
  'Worst SSIM to source',
  'Steps of faces to source',
];

/** `--photos FOLDER`: photographs of at least 1,280 pixels instead of the fixtures. */
export async function benchVideoQuality(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...options], options: { photos: { type: 'string' } } });
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-bench-'));
  try {
    const work = new BenchWork(tools, folder);
    const photos = await movePhotos(work, values.photos && resolve(values.photos));
    const rows: (readonly string[])[] = [];
    for (const [kind, degradation] of Object.entries(DEGRADED)) {
      rows.push(...(await compareVariants(work, kind, photos, degradation, ['signal', 'frames'])));
    }
    rows.push(...(await compareVariants(work, 'small faces', [await moveSmallFaces(work)], SMALL_FACES, ['faces'])));
    const text = [
      `ffmpeg ${tools.version}; 40 frames each of ${photos.length} photographs (${photos.map(({ name }) => name).join(', ')}) moved like a camera in a hand, and means over them. Flicker: change from frame to frame where the truth stays; unsteadiness: change of the error everywhere, both in levels. Sharpness: variance of the Laplacian. Worst: of the single clips.`,
      table([HEAD, ...rows]),
      "Bars: SSIM of each clip no less and flicker no more than the source's; steps of faces at most 1.05 times the source's.",
    ];
    await publish('video-quality', 'Videos against the truth', text.join('\n\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareVariants(
  work: BenchWork,
  kind: string,
  truths: readonly MovedPhoto[],
  degradation: readonly string[],
  recipes: readonly Pipeline[],
): Promise<string[][]> {
  const source = work.file('source.mp4');
  const variants: Record<string, () => Promise<string>> = {
    source: async () => source,
    "ffmpeg's filters": async () => {
      const path = work.file('filtered.mp4');
      await work.ffmpeg('-i', source, '-vf', FFMPEG_FILTERS, ...H264, '-crf', '14', path);
      return path;
    },
    ...Object.fromEntries(recipes.map((recipe) => [recipe, async () => (await work.enhance(source, recipe)).path])),
  };
  const measured = new Map<string, (VideoMeasures & { steps: number })[]>();
  for (const truth of truths) {
    await work.ffmpeg('-i', truth.path, ...H264, ...degradation, source);
    const { width, height } = await probeVideo(work.tools, truth.path, { folder: work.folder, signal });
    const reading = { tools: work.tools, folder: work.folder, width, height };
    for (const [variant, make] of Object.entries(variants)) {
      const path = await make();
      const steps = kind === 'small faces' ? await measureFaceSteps(reading, source, path) : Number.NaN;
      const measures = { ...(await compareVideos(reading, truth.path, path)), steps };
      console.error(`${kind}, ${truth.name}, ${variant}: ${JSON.stringify(measures)}`);
      measured.set(variant, [...(measured.get(variant) ?? []), measures]);
    }
  }
  const sources = measured.get('source') ?? [];
  return [...measured].map(([variant, each]) => {
    const mean = (of: (clip: (typeof each)[number], at: number) => number) =>
      each.reduce((sum, clip, at) => sum + of(clip, at), 0) / each.length;
    const toSource = (name: 'sharpness' | 'steps') =>
      mean((clip, at) => clip[name] / (sources[at]?.[name] ?? Number.NaN));
    const worst = Math.min(...each.map((clip, at) => clip.ssim - (sources[at]?.ssim ?? Number.NaN)));
    return [
      `${kind}: ${variant}`,
      mean(({ psnr }) => psnr).toFixed(2),
      mean(({ ssim }) => ssim).toFixed(4),
      mean(({ flicker }) => flicker).toFixed(3),
      mean(({ unsteadiness }) => unsteadiness).toFixed(3),
      toSource('sharpness').toFixed(2),
      worst.toFixed(4),
      Number.isNaN(toSource('steps')) ? '' : toSource('steps').toFixed(2),
    ];
  });
}
