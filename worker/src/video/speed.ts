import { availableParallelism } from 'node:os';
import type { Sessions } from '../networks/sessions.js';
import { addOutput, newCommand, parametersOf } from './command.js';
import { cleaningFilters } from './filters.js';
import { frameBytes } from './frame.js';
import { FrameDenoiser } from './frame-denoiser.js';
import { X264 } from './frame-writer.js';
import type { VideoTools } from './locate.js';
import { runTool } from './run.js';

/** Seconds on this machine. */
export interface MeasuredSpeed {
  /** Decoding, cleaning and encoding of a million pixels. */
  readonly perMegapixel: number;
  /** Following and restoring one face in one frame. */
  readonly perFace: number;
  /** A million pixels that are averaged along their motion, or go through the network for frames: the slower of the two. */
  readonly perDenoisedMegapixel: number;
}

/** A rate at which a second of frames is enough. */
const SIZE = { width: 1280, height: 720 } as const;
const FRAMES = 12;
const RUNS = 4;
/** Cleaning as for a noisy, soft video. */
const CLEANING = cleaningFilters({ noise: 1, isBlocky: false, isCompressed: false, sharpening: 0.15, repeated: 1 });
/** Share of the cores that decoding, filters and encoding keep busy together. */
const BUSY_SHARE = 0.8;
/** A generated clip needs no decoder; frames for networks pass through two pipes. */
const ENCODING_OVERHEAD = 1.5;
/** Alignment and blending beside the networks. */
const NETWORKS_OVERHEAD = 1.5;

/**
 * Encodes a generated clip and runs the networks of faces; about a second of processor time. By wall time, a busy
 * machine would plan the weakest recipe for every video.
 */
export async function measureSpeed(
  tools: VideoTools,
  sessions: Sessions,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<MeasuredSpeed> {
  const { width, height } = SIZE;
  const cores = Math.max(1, availableParallelism() * BUSY_SHARE);
  const command = newCommand().input(`testsrc2=size=${width}x${height}:rate=${FRAMES}:duration=1`).inputFormat('lavfi');
  addOutput(command, '-', ...X264, '-f', 'null');
  command.videoFilters(['format=yuv420p', ...CLEANING]);
  let encoded = Number.NaN;
  const onLine = (line: string) => {
    const [, user, system] = CPU_TIME.exec(line) ?? [];
    if (user !== undefined && system !== undefined) encoded = Number(user) + Number(system);
    return false;
  };
  const limits = { folder, signal, timeoutMs: 60_000, maxBytes: 0, onLine };
  await runTool(tools.ffmpeg, ['-benchmark', ...parametersOf(command, 'info')], limits).done;
  if (Number.isNaN(encoded)) throw new Error('ffmpeg did not print its processor time');
  const megapixels = (FRAMES * width * height) / 1e6;
  const networks = await Promise.all((['face-mesh', 'restore-small-face'] as const).map((role) => sessions.get(role)));
  let perFace = 0;
  for (const session of networks) {
    const side = Number(session.entry.input.shape[2]);
    const input = new Float32Array(3 * side * side).fill(0.5);
    perFace += await fastest(sessions.threads, () => session.run(input, [1, 3, side, side]));
  }
  return {
    perMegapixel: (encoded * ENCODING_OVERHEAD) / cores / megapixels,
    perFace: perFace * NETWORKS_OVERHEAD,
    perDenoisedMegapixel: Math.max(await measureDenoising(), await measureRestoring(sessions)),
  };
}

const CLEANED = { width: 640, height: 360 } as const;
const CLEANED_MEGAPIXELS = (CLEANED.width * CLEANED.height) / 1e6;
/** Side of the squares of a frame that moves. */
const CHECK = 24;

async function measureDenoising(): Promise<number> {
  const { width, height } = CLEANED;
  const denoiser = new FrameDenoiser(1);
  let number = 0;
  const seconds = await fastest(1, async () => {
    const data = new Uint8Array(frameBytes(width, height)).fill(128);
    const shift = 3 * number++;
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [(at % width) + shift, Math.floor(at / width)];
      data[at] = 60 + (x & 31) + 80 * ((Math.floor(x / CHECK) + Math.floor(y / CHECK)) & 1);
    }
    denoiser.clean({ width, height, data, time: number });
  });
  return seconds / CLEANED_MEGAPIXELS;
}

async function measureRestoring(sessions: Sessions): Promise<number> {
  const { width, height } = CLEANED;
  const session = await sessions.get('restore-frame');
  const luma = new Float32Array(width * height).fill(0.5);
  const seconds = await fastest(sessions.threads, () => session.run(luma, [1, 1, height, width]));
  return seconds / CLEANED_MEGAPIXELS;
}

/** "bench: utime=0.841s stime=0.042s rtime=0.512s" */
const CPU_TIME = /utime=([\d.]+)s stime=([\d.]+)s/;

/** Fastest of several runs, in seconds on idle cores; the first one allocates memory. */
async function fastest(threads: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const [started, used] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(used);
    best = Math.min(
      best,
      (performance.now() - started) / 1000,
      ((user + system) / 1e6 / threads) * WALL_PER_CPU_SECOND,
    );
  }
  return best;
}

/** Wall time on idle cores relative to processor time per thread; more than 1, as some operations run on one thread. */
const WALL_PER_CPU_SECOND = 1.3;
