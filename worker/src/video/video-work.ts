import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISPLAY_MAX_SIDE, THUMBNAIL_MAX_SIDE } from '@clearframe/contract/media';
import sharp from 'sharp';
import type { Raster } from '../rasters/raster.js';
import type { LookName } from '../tools/color/looks.js';
import { FILES, FIRST_FRAME } from './files.js';
import { fittingSize, pictureFilters, type Scaling, TONE_MAP_FILE } from './filters.js';
import { type Frame, isBt709, toRaster } from './frame.js';
import { FrameReader } from './frame-reader.js';
import { FrameWriter } from './frame-writer.js';
import type { VideoTools } from './locate.js';
import type { SceneLook } from './look-filters.js';
import type { ProbedMetadata } from './probe-video.js';
import { FfmpegError } from './run.js';
import { SceneSampler } from './scene-looks.js';
import { toneMapTable } from './tone-map.js';

/** Whole time of one ffmpeg. */
const TIMEOUT_MS = 30 * 60_000;
/** Frames that strengths are measured on: key frames, which decode alone. */
const SAMPLES = 6;
const PREVIEW_MAX_SIDE = 960;
/** Side of the frames that light is measured on. */
const SMALL_SIDE = 192;
/** Bytes of the largest result, beside a share of the original's. */
const MAX_BYTES = { least: 200_000_000, share: 8 } as const;
/** Number of the picture's stream in a file of ours. */
export const RESULT_STREAM = 0;
/** Seconds before a frame from which it is the next one. */
const SEEK_EARLIER = 0.002;

export class VideoWork {
  readonly width: number;
  readonly height: number;
  readonly filters: readonly string[];
  readonly is709: boolean;

  constructor(
    readonly tools: VideoTools,
    readonly path: string,
    readonly folder: string,
    readonly metadata: ProbedMetadata,
    size: [number, number],
    readonly signal: AbortSignal,
    scaling: Scaling = 'bicubic',
  ) {
    [this.width, this.height] = size;
    this.filters = pictureFilters(metadata, size, scaling);
    const { colors } = metadata.source;
    this.is709 = metadata.isHdr || colors.isRgb || isBt709(colors.space, this.height);
  }

  get limits() {
    const maxBytes = Math.max(MAX_BYTES.least, MAX_BYTES.share * this.metadata.sizeBytes);
    return { folder: this.folder, signal: this.signal, timeoutMs: TIMEOUT_MS, maxBytes };
  }

  async prepare(): Promise<void> {
    const { isHdr, source } = this.metadata;
    if (!isHdr) return;
    const transfer = source.colors.transfer === 'smpte2084' ? 'smpte2084' : 'arib-std-b67';
    await writeFile(join(this.folder, TONE_MAP_FILE), toneMapTable(transfer));
  }

  read(filters: readonly string[], options: { inputOptions?: string[]; maxFrames?: number } = {}): FrameReader {
    const { tools, path, metadata, width, height } = this;
    const reading = { path, streamIndex: metadata.source.index, width, height, ...options };
    return new FrameReader(tools, { ...reading, filters: [...this.filters, ...filters] }, this.limits);
  }

  write(filters: readonly string[]): FrameWriter {
    const { tools, path, metadata, width, height } = this;
    return new FrameWriter(tools, { path, original: metadata, width, height, filters }, this.limits);
  }

  /** Key frames from the start, without cleaning. */
  async samples(): Promise<Frame[]> {
    const reader = this.read([], { inputOptions: ['-skip_frame', 'nokey'], maxFrames: SAMPLES });
    const frames: Frame[] = [];
    for (let frame = await reader.next(); frame; frame = await reader.next()) frames.push(frame);
    return frames;
  }

  /** Gives each scene its look. All frames are read once, small. */
  async writeLooks(model: LookName, strength: number): Promise<SceneLook[]> {
    const size = fittingSize(this, SMALL_SIDE);
    const small = new VideoWork(this.tools, this.path, this.folder, this.metadata, size, this.signal, 'area');
    const sampler = new SceneSampler(small.is709);
    // Blocks of a codec don't show in small frames.
    const reader = small.read([], { inputOptions: ['-skip_loop_filter', 'all'] });
    for (let frame = await reader.next(); frame; frame = await reader.next()) sampler.add(frame);
    return sampler.writeTables(this.folder, model, strength);
  }

  /** Pictures of the first frame of {@link FILES.result}. */
  async writePosterOfResult(): Promise<void> {
    const { tools, folder, width, height, limits } = this;
    const reading = { path: join(folder, FILES.result), streamIndex: RESULT_STREAM, width, height, maxFrames: 1 };
    await this.writeFirst(await onlyFrame(new FrameReader(tools, { ...reading, filters: ['format=yuv420p'] }, limits)));
  }

  /** Pictures of {@link FIRST_FRAME}. */
  async writePosterOfPass(): Promise<void> {
    const { folder, width, height } = this;
    await this.writeFirst({ width, height, data: await readFile(join(folder, FIRST_FRAME)), time: 0 });
  }

  async writeFirst(frame: Frame): Promise<void> {
    const raster = toRaster(frame, this.is709);
    await writeJpeg(this.folder, FILES.poster, raster, DISPLAY_MAX_SIDE);
    await writeJpeg(this.folder, FILES.thumbnail, raster, THUMBNAIL_MAX_SIDE);
  }

  /** The same frame of the original is decoded for it. */
  async writePreview(enhanced: Frame): Promise<void> {
    const original = await this.frameAt(enhanced.time - SEEK_EARLIER, []);
    await this.writePair(original, enhanced);
  }

  /** Seconds from the start. The frame is decoded twice, once with the filters. */
  async writePreviewAt(seconds: number, filters: readonly string[]): Promise<void> {
    const [original, enhanced] = await Promise.all([this.frameAt(seconds, []), this.frameAt(seconds, filters)]);
    await this.writePair(original, enhanced);
  }

  private frameAt(seconds: number, filters: readonly string[]): Promise<Frame> {
    const inputOptions = ['-ss', Math.max(0, seconds).toFixed(6)];
    return onlyFrame(this.read(filters, { inputOptions, maxFrames: 1 }));
  }

  private async writePair(original: Frame, enhanced: Frame): Promise<void> {
    await writeJpeg(this.folder, FILES.previewInput, toRaster(original, this.is709), PREVIEW_MAX_SIDE, true);
    await writeJpeg(this.folder, FILES.previewOutput, toRaster(enhanced, this.is709), PREVIEW_MAX_SIDE, true);
  }
}

async function onlyFrame(reader: FrameReader): Promise<Frame> {
  try {
    const frame = await reader.next();
    if (!frame) throw new FfmpegError('no frame was decoded');
    return frame;
  } finally {
    reader.close();
  }
}

const QUALITY = 84;

/** @param isBrief shown for seconds only: a smaller file isn't worth the time */
async function writeJpeg(
  folder: string,
  name: string,
  raster: Raster,
  maxSide: number,
  isBrief = false,
): Promise<void> {
  const { width, height, data } = raster;
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY, mozjpeg: !isBrief })
    .toBuffer();
  await writeFile(join(folder, name), bytes);
}
