import { X264 } from '../../worker/dist/video/frame-writer.js';
import { planVideo } from '../../worker/dist/video/plan.js';
import { probeVideo } from '../../worker/dist/video/probe-video.js';
import { measureInProcess } from '../../worker/dist/video/video-process.js';
import { PeakMemory } from '../support/processes.ts';
import { table } from '../support/results.ts';
import { type BenchWork, H264, PIPELINES, type Pipeline, timed } from './bench-work.ts';
import { measureConcurrentImage } from './concurrent-image.ts';

const { signal } = new AbortController();
const MAX_SIDE = 1920;
/** Length of the speed clip, and of the longest one whose faces are restored within 2 minutes. */
const SECONDS = { short: 10, longest: 20 } as const;
/** Times that the speed clip is repeated: for a clip longer than any plan allows, as memory must not grow, and beside pictures. */
const LONG = { memory: 18, pictures: 11 } as const;
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'] as const;
const HEAD = ['1280 x 720, 25 frames/s', 'Seconds', 'Times the transcode', 'Processor', 'Times', 'Peak MB', 'Faces'];

type Rows = (readonly (string | number)[])[];
interface Plain {
  readonly seconds: number;
  readonly processor: number;
}

/** Ten and twenty seconds of 720p, and three minutes by the recipe without networks. */
export async function measureSpeeds(work: BenchWork, clip: string): Promise<string> {
  const rows: Rows = [HEAD];
  const short = await work.repeated(clip, SECONDS.short);
  const plain = await addPlain(work, rows, '10 s, plain transcode', short);
  for (const name of ['signal', 'look', 'faces'] as const)
    await addRow(work, rows, `10 s, ${name}`, short, name, plain);

  const noisy = work.file('noisy.mp4');
  await work.ffmpeg('-i', short, '-vf', 'noise=c0s=16:c0f=t', ...H264, '-crf', '20', noisy);
  for (const name of ['frames', 'faces'] as const)
    await addRow(work, rows, `10 s with noise, ${name}`, noisy, name, plain);

  const longest = await work.repeated(clip, SECONDS.longest);
  const promise = await planOf(work, longest);
  const twice = { seconds: 2 * plain.seconds, processor: 2 * plain.processor };
  await addRow(work, rows, '20 s, faces', longest, 'faces', twice);

  const hevc = work.file('hevc.mp4');
  await work.ffmpeg('-i', short, ...HEVC, '-pix_fmt', 'yuv420p10le', hevc);
  const plainHevc = await addPlain(work, rows, '10 s of HEVC with 10 bits, plain transcode', hevc);
  await addRow(work, rows, '10 s of HEVC with 10 bits, signal', hevc, 'signal', plainHevc);

  const long = await work.lengthened(short, LONG.memory);
  const times = { seconds: LONG.memory * plain.seconds, processor: LONG.memory * plain.processor };
  await addRow(work, rows, `${LONG.memory * SECONDS.short} s, signal`, long, 'signal', times);
  const bars =
    'Bars: `faces` at most 60 s for 10 s on two quiet cores and 120 s for 20 s, `signal` at most 3 times the transcode with the same encoder, 800 MB in all processes together.';
  return [table(rows), promise, bars].join('\n\n');
}

/** A picture beside a running video takes at most twice as long. */
export async function measurePriority(work: BenchWork, clip: string): Promise<string> {
  const faces = await work.repeated(clip, SECONDS.short);
  const times = await measureConcurrentImage({ faces, signal: await work.lengthened(faces, LONG.pictures) });
  const rows = [['A portrait beside a video', 'Alone, s', 'Beside, s', 'Times']];
  for (const [recipe, { alone, beside }] of times) {
    rows.push([recipe, alone.toFixed(2), beside.toFixed(2), (beside / alone).toFixed(2)]);
  }
  return `${table(rows)}\n\nBar: 2.`;
}

async function addPlain(work: BenchWork, rows: Rows, name: string, path: string): Promise<Plain> {
  const plain = await timed(() => work.ffmpeg('-i', path, ...X264, '-an', work.file('plain.mp4')));
  rows.push([name, plain.seconds.toFixed(1), '1.0', plain.processor.toFixed(1), '1.0', '', '']);
  return plain;
}

/** @param plain the transcode of the same length */
async function addRow(
  work: BenchWork,
  rows: Rows,
  name: string,
  path: string,
  pipeline: Pipeline,
  plain: Plain,
): Promise<void> {
  // This process stands for the worker.
  const memory = new PeakMemory(process.pid);
  let faces = 0;
  const { seconds, processor } = await timed(async () => {
    faces = (await work.enhance(path, pipeline)).outcome.facesRestored;
  });
  console.error(`${name}: ${seconds.toFixed(1)} s`);
  const ratios = [seconds / plain.seconds, processor / plain.processor].map((ratio) => ratio.toFixed(1));
  rows.push([name, seconds.toFixed(1), ratios[0] ?? '', processor.toFixed(1), ratios[1] ?? '', memory.stop(), faces]);
}

async function planOf({ tools, folder }: BenchWork, path: string): Promise<string> {
  const metadata = await probeVideo(tools, path, { folder, signal });
  const speed = await measureInProcess(tools, folder, { signal });
  const { recipe, estimatedSeconds } = planVideo(metadata, PIPELINES.faces, speed, MAX_SIDE);
  const [pixels, face] = [speed.perMegapixel, speed.perFace].map((value) => value.toFixed(3));
  return `Plan for the 20 s: \`${recipe}\`, ${estimatedSeconds} s, by ${pixels} s a megapixel and ${face} s a face.`;
}
