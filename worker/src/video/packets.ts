import { createInterface } from 'node:readline';
import { VIDEO_CAPS } from '@clearframe/contract/media';
import { FORCED_INPUT } from './command.js';
import type { VideoTools } from './locate.js';
import { FfmpegError, type RunOptions, runTool } from './run.js';

export interface PacketTimes {
  /** Seconds from the first shown packet of sound or picture to the end of the last one. */
  readonly duration: number;
  readonly frameCount: number;
  /** Mean, per second. */
  readonly frameRate: number;
  readonly isVariableFrameRate: boolean;
  /** Seconds that the last frame is shown. */
  readonly lastFrameDuration: number;
}

/** Packets at the end of a file among which that of the last shown frame is. */
const LAST_FRAMES = 32;
/** Decoders read such packets as noise; only a header of the container says that a key is needed. */
const ENCRYPTED = 'Encryption info';
/** Frames this much longer or shorter than the median one, relative to it, are another rate. */
const STEADY = 0.1;

/**
 * Reads every packet, because a header can say anything; of a file with more than `VIDEO_CAPS.maxReadFrames` those
 * before.
 * @param videoIndex may become known later, as the program starts meanwhile; its error is this one's
 */
export async function readPacketTimes(
  tools: VideoTools,
  path: string,
  videoIndex: number | Promise<number>,
  options: RunOptions,
): Promise<PacketTimes> {
  const fields = 'packet=stream_index,codec_type,pts_time,dts_time,duration_time,flags:packet_side_data=side_data_type';
  const entries = ['-show_entries', fields];
  const printed = runTool(
    tools.ffprobe,
    ['-v', 'error', ...FORCED_INPUT, ...entries, '-of', 'compact', '-i', `file:${path}`],
    options,
  );
  // Reads from now on: Node discards the output of a program that has ended before.
  const lines = createInterface({ input: printed.stdout })[Symbol.asyncIterator]();
  const index = await Promise.resolve(videoIndex).catch((error) => {
    printed.kill();
    throw error;
  });
  const frames: number[] = [];
  let [first, last, frameEnd] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for await (const line of lines) {
    const packet = fieldsOf(line);
    const isVideo = packet.stream_index === String(index);
    // Cut by the edit list.
    if ((!isVideo && packet.codec_type !== 'audio') || packet.flags?.includes('D')) continue;
    if (packet.side_data_type === ENCRYPTED) {
      printed.kill();
      throw new FfmpegError('encrypted');
    }
    const start = numberOf(packet.pts_time) ?? numberOf(packet.dts_time);
    if (start === null) continue;
    const end = start + (numberOf(packet.duration_time) ?? 0);
    first = Math.min(first, start);
    last = Math.max(last, end);
    if (!isVideo) continue;
    frames.push(start);
    frameEnd = Math.max(frameEnd, end);
    if (frames.length === VIDEO_CAPS.maxReadFrames) {
      printed.kill();
      break;
    }
  }
  if (frames.length < VIDEO_CAPS.maxReadFrames) await printed.done;
  if (frames.length === 0) throw new FfmpegError('no frame');
  const rates = ratesOf(Float64Array.from(frames).sort(), frameEnd);
  const shownUntil = Math.max(...frames.slice(-LAST_FRAMES)) + rates.lastFrameDuration;
  return { duration: Math.max(last, shownUntil) - first, ...rates };
}

function ratesOf(starts: Float64Array, end: number): Omit<PacketTimes, 'duration'> {
  const frameCount = starts.length;
  const length = Math.max(end, starts[frameCount - 1] ?? 0) - (starts[0] ?? 0);
  const steps = starts
    .subarray(1)
    .map((start, at) => start - (starts[at] ?? 0))
    .sort();
  const median = steps[steps.length >> 1] ?? 0;
  const isSteady = (step: number) => Math.abs(step - median) <= STEADY * median;
  // The mean of a steady rate counts steps, because the last frame's length is often wrong.
  const isVariableFrameRate = steps.length > 0 && !(isSteady(steps[0] ?? 0) && isSteady(steps.at(-1) ?? 0));
  const span = (starts[frameCount - 1] ?? 0) - (starts[0] ?? 0);
  const frameRate = span > 0 ? (frameCount - 1) / span : length > 0 ? frameCount / length : 1;
  return {
    frameCount,
    frameRate,
    isVariableFrameRate,
    lastFrameDuration: length > span ? length - span : median || 1 / frameRate,
  };
}

const fieldsOf = (line: string): Record<string, string | undefined> =>
  Object.fromEntries(line.split('|').map((field) => field.split('=', 2)));

function numberOf(value: string | undefined): number | null {
  const number = Number(value);
  return value !== undefined && value !== '' && Number.isFinite(number) ? number : null;
}
