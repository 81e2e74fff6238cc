import { emptyLike, fullOf, type Pixels } from './png.ts';

/** Without an alpha channel that says nothing, which is a quarter of the bytes. */
export function withoutFullAlpha(pixels: Pixels): Pixels {
  const { channels, data } = pixels;
  if (channels !== 4) return pixels;
  const full = fullOf(data);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== full) return pixels;
  return withoutAlpha(pixels);
}

/** RGB of RGB with alpha. */
export function withoutAlpha(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels;
  if (channels !== 4) return pixels;
  const rgb = emptyLike(data, width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from] as number;
    rgb[to + 1] = data[from + 1] as number;
    rgb[to + 2] = data[from + 2] as number;
  }
  return { width, height, channels: 3, data: rgb };
}

/** RGB with alpha, as layers have it. The alpha of the source is kept where the result has none, whatever its depth. */
export function asLayer({ width, height, channels, data }: Pixels, source: Pixels | null): Pixels {
  const isSameSize = source?.channels === 4 && source.width === width && source.height === height;
  if (channels === 4) return { width, height, channels, data };
  const rgba = emptyLike(data, width * height * 4);
  const full = fullOf(data);
  const scale = isSameSize ? full / fullOf(source.data) : 1;
  for (let at = 0; at < width * height; at++) {
    const [from, to] = [at * channels, at * 4];
    rgba[to] = data[from] as number;
    rgba[to + 1] = data[channels === 1 ? from : from + 1] as number;
    rgba[to + 2] = data[channels === 1 ? from : from + 2] as number;
    rgba[to + 3] = isSameSize ? Math.round((source.data[to + 3] as number) * scale) : full;
  }
  return { width, height, channels: 4, data: rgba };
}

/** The part at a box in pixels of a picture of another scale, for a thumbnail. */
export function cropOf(
  { width, height, channels, data }: Pixels,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  scale: number,
): Pixels {
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value * scale)));
  const [left, top] = [clamp(box.x, width - 1), clamp(box.y, height - 1)];
  const [right, bottom] = [clamp(box.x + box.width, width), clamp(box.y + box.height, height)];
  const [cropWidth, cropHeight] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const part = emptyLike(data, cropWidth * cropHeight * channels);
  for (let y = 0; y < cropHeight; y++) {
    const from = ((top + y) * width + left) * channels;
    part.set(data.subarray(from, from + cropWidth * channels), y * cropWidth * channels);
  }
  return { width: cropWidth, height: cropHeight, channels, data: part };
}

/** Samples of 16 bits as 8 bits. */
export function inEightBits(pixels: Pixels): Pixels {
  const { data } = pixels;
  if (data instanceof Uint8Array) return pixels;
  const bytes = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at++) bytes[at] = Math.round((data[at] as number) / 257);
  return { ...pixels, data: bytes };
}
