import type { Sessions } from '../../networks/sessions.js';
import { addOutput, newCommand, parametersOf } from '../ffmpeg/command.js';
import type { VideoTools } from '../ffmpeg/locate.js';
import { runTool } from '../ffmpeg/run.js';
import { PRESET, QUALITY } from '../frames/frame-writer.js';
import { sharpenLuma } from '../picture/sharpen.js';

/** Seconds on this machine. */
export interface MeasuredSpeed {
  /** Decoding, cleaning and encoding of a million pixels. */
  readonly perMegapixel: number;
  /** Following and restoring one face in one frame. */
  readonly perFace: number;
}

const SIZE = { width: 640, height: 360 } as const;
const FRAMES = 40;
const RUNS = 3;
/** Decoding takes less than half of encoding; frames pass through two pipes. */
const BESIDE_ENCODING = 1.9;
/** Alignment and blending beside the networks. */
const BESIDE_NETWORKS = 1.5;

/** Encodes a generated clip and runs the networks of faces; about a second. */
export async function measureSpeed(
  tools: VideoTools,
  sessions: Sessions,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<MeasuredSpeed> {
  const { width, height } = SIZE;
  const command = newCommand().input(`testsrc=size=${width}x${height}:rate=${FRAMES}:duration=1`).inputFormat('lavfi');
  addOutput(command, '-', '-c:v', 'libx264', '-preset', PRESET, '-crf', QUALITY, '-f', 'null');
  const encoding = performance.now();
  await runTool(tools.ffmpeg, parametersOf(command), { folder, signal, timeoutMs: 60_000, maxBytes: 0 }).done;
  const encoded = (performance.now() - encoding) / 1000 / FRAMES;
  const luma = Uint8Array.from({ length: width * height }, (_, at) => (at * 31) & 0xff);
  const target = new Uint8Array(luma.length);
  const sharpened = await fastest(() => Promise.resolve(sharpenLuma(luma, width, height, 0.5, target)));
  const megapixels = (width * height) / 1e6;
  const networks = await Promise.all((['face-mesh', 'restore-small-face'] as const).map((role) => sessions.get(role)));
  let perFace = 0;
  for (const session of networks) {
    const side = Number(session.entry.input.shape[2]);
    const input = new Float32Array(3 * side * side).fill(0.5);
    perFace += await fastest(() => session.run(input, [1, 3, side, side]));
  }
  return { perMegapixel: (encoded * BESIDE_ENCODING + sharpened) / megapixels, perFace: perFace * BESIDE_NETWORKS };
}

/** The first run allocates. Seconds. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    await work();
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return best;
}
