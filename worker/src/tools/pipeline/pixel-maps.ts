import { channelsOf, type Samples } from '../../image/picture.js';
import { type Blur, blurRows } from '../bokeh/bokeh.js';
import { applyColors, type ColorTable } from '../color/color-lut.js';

/** What a tool applies to each pixel, computed of a picture in any size. */
export type PixelMap = { readonly table: ColorTable } | { readonly blur: Blur };

const COLORS = 3;
/** Levels of 16 bits in one of 8. */
const DEEP_LEVELS = 257;

/**
 * Applies maps in order to rows of a picture, in place.
 * @param samples interleaved, of three channels or four
 * @param picture its size, and its row with which the samples begin
 */
export function applyMaps(
  samples: Samples,
  maps: readonly PixelMap[],
  picture: { readonly width: number; readonly height: number; readonly channels: number; readonly first: number },
): void {
  const { channels } = picture;
  const colors = channelsOf(samples, channels, COLORS);
  for (const map of maps) {
    if ('table' in map) applyColors(colors, map.table, 0, colors.length / COLORS);
    else if (colors instanceof Uint8Array) blurRows(colors, map.blur, picture);
    else blurDeepRows(colors, map.blur, picture);
  }
  if (colors === samples) return;
  for (let at = 0, to = 0; at < colors.length; to += channels) {
    for (let channel = 0; channel < COLORS; channel++) samples[to + channel] = colors[at++] as number;
  }
}

/** Adds the change in 8 bits: sharp pixels keep all of theirs. */
function blurDeepRows(colors: Uint16Array, blur: Blur, picture: Parameters<typeof blurRows>[2]): void {
  const own = Uint8Array.from(colors, (value) => Math.round(value / DEEP_LEVELS));
  const blurred = own.slice();
  blurRows(blurred, blur, picture);
  for (let at = 0; at < colors.length; at++) {
    const change = DEEP_LEVELS * ((blurred[at] as number) - (own[at] as number));
    colors[at] = Math.max(0, Math.min(0xffff, (colors[at] as number) + change));
  }
}
