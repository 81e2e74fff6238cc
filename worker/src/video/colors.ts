import type { Stream } from './streams.js';

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
