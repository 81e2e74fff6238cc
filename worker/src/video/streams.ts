import type { FileHandle } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { InvalidImageError } from '../image/errors.js';
import { readStart, withFile } from '../image/with-file.js';
import { FORCED_INPUT } from './command.js';
import type { VideoTools } from './locate.js';
import { type RunOptions, runTool } from './run.js';

/** "30000/1001"; "0/0" for unknown. */
const ratio = z
  .string()
  .regex(/^-?\d+[/:]\d+$/)
  .optional();

const stream = z.object({
  index: z.int(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  codec_tag_string: z.string().optional(),
  profile: z.string().optional(),
  pix_fmt: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  sample_aspect_ratio: ratio.catch(undefined),
  time_base: ratio,
  field_order: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  disposition: z.object({ attached_pic: z.int() }).partial().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
export type Stream = z.infer<typeof stream>;

/** What the header says, which may be wrong about times. */
export async function readStreams(tools: VideoTools, path: string, options: RunOptions): Promise<Stream[]> {
  let isTooLarge = false;
  const onLine = (line: string) => {
    isTooLarge ||= line.includes('exceeds specified max pixel count');
    return false;
  };
  const parameters = ['-v', 'error', ...FORCED_INPUT, '-show_streams', '-of', 'json', '-i', `file:${path}`];
  const printed = runTool(tools.ffprobe, parameters, { ...options, onLine });
  const json = await text(printed.stdout);
  // ffprobe fails on such frames of some codecs only.
  await printed.done.catch((error) => {
    if (!isTooLarge) throw error;
  });
  if (isTooLarge) throw new InvalidImageError('uploads.too_many_pixels');
  return z.object({ streams: z.array(stream).default([]) }).parse(JSON.parse(json)).streams;
}

/** Meaning of a frame's numbers, in ffmpeg's names; null where the file says nothing. */
export interface VideoColors {
  readonly space: string | null;
  readonly transfer: string | null;
  readonly primaries: string | null;
  /** Luma from 0 to 255 instead of 16 to 235. */
  readonly isFullRange: boolean;
  /** Red, green and blue instead of luma and chroma. */
  readonly isRgb: boolean;
}

/** Transfer curves of a high dynamic range: PQ and HLG. */
export const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'];
const RGB = /rgb|bgr|gbr|pal8|mono/;

export function colorsOf(video: Stream): VideoColors {
  const { color_space, color_transfer, color_primaries, color_range, pix_fmt = '' } = video;
  const isRgb = RGB.test(pix_fmt);
  return {
    space: isRgb ? null : known(color_space),
    transfer: known(color_transfer),
    primaries: known(color_primaries),
    isFullRange: !isRgb && (color_range === 'pc' || pix_fmt.startsWith('yuvj')),
    isRgb,
  };
}

/** Leaves out ffprobe's names that ffmpeg's encoder options don't accept. */
const known = (value: string | undefined): string | null =>
  value === undefined || !/^[a-z0-9-]+$/.test(value) || ['unknown', 'reserved', 'gbr'].includes(value) ? null : value;

export type VideoContentType = 'video/mp4' | 'video/quicktime';

/** Brands of still pictures in the same container. */
const PICTURES = /^(?:avif|avis|heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;
/** Boxes that QuickTime files of before 2001 begin with. */
const QUICKTIME_START = /^(?:moov|mdat|wide|free|skip|pnot)$/;
const HEAD = 12;
/** Size and type of a box; a size of 1 is followed by one of 64 bits. */
const BOX_HEAD = 16;
/** Boxes of frames and, in a fragmented file, of their index. */
const FRAMES = /^(?:mdat|moof)$/;
/** Fragments of a video have two each. */
const MAX_BOXES = 10_000;

/** Read from the first box of the file; null for any other format. */
export async function sniffVideo(path: string): Promise<VideoContentType | null> {
  const head = await readStart(path, HEAD);
  const type = head.toString('latin1', 4, 8);
  if (type !== 'ftyp') return QUICKTIME_START.test(type) ? 'video/quicktime' : null;
  const brand = head.toString('latin1', 8, 12);
  if (PICTURES.test(brand)) return null;
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
}

/** Whether the file ends within its frames, as after an incomplete download or copy. */
export const isCutOff = (path: string): Promise<boolean> => withFile(path, endsWithinFrames);

async function endsWithinFrames(file: FileHandle): Promise<boolean> {
  const { size: end } = await file.stat();
  const head = Buffer.alloc(BOX_HEAD);
  for (let [at, boxes] = [0, 0]; at < end && boxes < MAX_BOXES; boxes++) {
    const { bytesRead } = await file.read(head, 0, BOX_HEAD, at);
    if (bytesRead < 8) return false;
    const size = head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    // 0: up to the end of the file.
    if (size < 8) return false;
    at += size;
    if (at > end) return FRAMES.test(head.toString('latin1', 4, 8));
  }
  return false;
}
