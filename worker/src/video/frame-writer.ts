import type { FfmpegCommand } from 'fluent-ffmpeg';
import { addOutput, addPipe, addUpload, newCommand, parametersOf, passthrough } from './command.js';
import { FILES } from './files.js';
import type { Frame } from './frame.js';
import type { VideoTools } from './locate.js';
import { matroskaFrameHeader, matroskaHeader, NANOSECONDS } from './matroska.js';
import type { ProbedMetadata, VideoSource } from './probe-video.js';
import { FfmpegError, type Running, type RunOptions, runTool, withinStall } from './run.js';

type EncodedVideo = Pick<
  ProbedMetadata,
  'width' | 'height' | 'source' | 'isHdr' | 'frameCount' | 'frameRate' | 'isVariableFrameRate' | 'lastFrameDuration'
>;

interface WriteOptions {
  /** Original, for its sound and subtitles. */
  readonly path: string;
  readonly original: EncodedVideo;
  readonly width: number;
  readonly height: number;
  readonly filters: readonly string[];
}

const BT709 = { space: 'bt709', transfer: 'bt709', primaries: 'bt709' } as const;
/**
 * A coarser quality loses what sharpening brings and adds flicker. The details bring as much as the next slower preset,
 * in half of its time.
 */
export const X264 = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '14', '-pix_fmt', 'yuv420p'],
  ...['-x264-params', 'trellis=1:ref=2:rc-lookahead=20'],
] as const;
/** Highest bit rate per pixel, reached by videos with much motion: 12 Mbit/s at 720p. */
const MAX_BITS = 13;
const LEAST_RATE = 2_000_000;
/** Seconds over which `MAX_BITS` holds. */
const RATE_WINDOW = 2;
const AUDIO_BITS = '160k';
/** Lets a player seek quickly, and both players of a page step together. */
const KEY_FRAME_SECONDS = 2;
const MAX_KEY_FRAME_DISTANCE = 240;
/** Audio waits for the first frame. */
export const MUXING_QUEUE = '9999';

/** Subtitles of the container itself; others can't be kept. */
const isKeptSubtitle = ({ codec }: { readonly codec: string }): boolean => codec === 'mov_text';

export function h264Options(
  { width, height, source, isHdr, frameCount, frameRate, isVariableFrameRate, lastFrameDuration }: EncodedVideo,
  { hasFrameRateMode }: VideoTools,
): string[] {
  // Older builds give the last frame the length of one tick.
  const tick =
    frameCount === 1 && !hasFrameRateMode ? Math.max(1, Math.round(lastFrameDuration * source.timescale)) : 1;
  const { space, transfer, primaries } = isHdr || source.colors.isRgb ? BT709 : source.colors;
  const distance = Math.max(1, Math.min(MAX_KEY_FRAME_DISTANCE, Math.round(frameRate * KEY_FRAME_SECONDS)));
  const maxRate = Math.max(LEAST_RATE, MAX_BITS * width * height);
  return [
    ...[...X264, '-profile:v', 'high', '-maxrate', String(maxRate), '-bufsize', String(RATE_WINDOW * maxRate)],
    // Reordered frames of varying length end at a wrong time in MP4; older builds cut the last one.
    ...(isVariableFrameRate || !hasFrameRateMode ? ['-bf', '0'] : []),
    ...['-g', String(distance), '-video_track_timescale', String(source.timescale)],
    ...['-enc_time_base', `${tick}:${source.timescale}`, '-color_range', 'tv'],
    ...(space ? ['-colorspace', space] : []),
    ...(transfer ? ['-color_trc', transfer] : []),
    ...(primaries ? ['-color_primaries', primaries] : []),
    // No location and no device: only languages, below.
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart'],
  ];
}

/** Sound and subtitles of the input of this number. */
export function trackOptions({ audio, subtitles }: VideoSource, input: number): string[] {
  const kept = subtitles.filter(isKeptSubtitle);
  return [
    ...audio.flatMap(({ index, codec, language }, at) => [
      '-map',
      `${input}:${index}`,
      ...(codec === 'aac' ? [`-c:a:${at}`, 'copy'] : [`-c:a:${at}`, 'aac', `-b:a:${at}`, AUDIO_BITS]),
      ...(language ? [`-metadata:s:a:${at}`, `language=${language}`] : []),
    ]),
    ...kept.flatMap(({ index, language }, at) => [
      ...['-map', `${input}:${index}`, `-c:s:${at}`, 'copy'],
      ...(language ? [`-metadata:s:s:${at}`, `language=${language}`] : []),
    ]),
  ];
}

/** Encodes {@link FILES.result}: what `-map` calls `frames`, with the tracks of the input of this number. */
export function addResult(
  command: FfmpegCommand,
  tools: VideoTools,
  original: EncodedVideo,
  frames: string,
  input: number,
): void {
  addOutput(
    command,
    `file:${FILES.result}`,
    ...['-map', frames, ...trackOptions(original.source, input), ...h264Options(original, tools)],
    ...passthrough(tools),
    ...['-max_muxing_queue_size', MUXING_QUEUE, '-f', 'mp4'],
  );
}

/** Encodes frames at their own times, with the sound of the original. */
export class FrameWriter {
  private readonly running: Running;
  private hasEnded = false;
  private drained: () => void = () => undefined;

  constructor(
    tools: VideoTools,
    options: WriteOptions,
    private readonly run: Omit<RunOptions, 'reads'>,
  ) {
    const { original, width, height } = options;
    const command = addPipe(newCommand(), '-f', 'matroska', '-copyts', '-probesize', '32', '-analyzeduration', '0');
    addUpload(command, options.path);
    addResult(command, tools, original, '0:v:0', 1);
    if (options.filters.length > 0) command.videoFilters([...options.filters]);
    this.running = runTool(tools.ffmpeg, parametersOf(command), { ...run, reads: true });
    this.running.stdin?.on('drain', () => this.drained());
    this.running.done
      .catch(() => undefined)
      .finally(() => {
        this.hasEnded = true;
        this.drained();
      });
    this.running.stdin?.write(matroskaHeader({ width, height, lastFrameDuration: original.lastFrameDuration }));
  }

  /** Waits while the encoder is behind. @throws FfmpegError */
  async write({ data, time }: Frame): Promise<void> {
    this.running.stdin?.write(matroskaFrameHeader(time * NANOSECONDS, data.length));
    await this.send(data);
  }

  async finish(): Promise<void> {
    this.running.stdin?.end();
    await this.running.done;
  }

  close(): void {
    this.running.kill();
  }

  private async send(bytes: Uint8Array): Promise<void> {
    const { stdin, done } = this.running;
    if (this.hasEnded || !stdin) {
      await done;
      throw new FfmpegError('the encoder ended early');
    }
    if (stdin.write(bytes)) return;
    // A pipe closes with the program, whose own error says why.
    const drained = new Promise<void>((resolve) => {
      this.drained = resolve;
    });
    await withinStall(drained, this.running, this.run.stallMs);
    if (this.hasEnded) await done;
  }
}
