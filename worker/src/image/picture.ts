import type { Sharp } from 'sharp';
import type { PictureMetadata } from './file-metadata.js';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';

/** 8 or 16 bits. */
export type Samples = Uint8Array | Uint16Array;

export const isDeep = (samples: Samples): boolean => samples instanceof Uint16Array;

export const makeSamples = (deep: boolean, length: number): Samples =>
  deep ? new Uint16Array(length) : new Uint8Array(length);

/** The greatest sample. */
export const fullOf = (samples: Samples): number => (isDeep(samples) ? 0xffff : 0xff);

/** As libvips reduces the depth. */
export const to8Bits = (samples: Samples): Uint8Array =>
  samples instanceof Uint16Array ? Uint8Array.from(samples, (value) => value >> 8) : samples;

/** Reads interleaved samples of 8 or 16 bits; by default red, green and blue. */
export async function readSamples(image: Sharp, deep: boolean, space = deep ? 'rgb16' : 'srgb') {
  const { data, info } = await image
    .toColourspace(space)
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: deep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples: Samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const { width, height, channels } = info;
  return { samples, width, height, channels };
}

/** Interleaved samples of the channels from `first` on. */
export function channelsOf(samples: Samples, channels: number, count: number, first = 0): Samples {
  if (channels === count) return samples;
  const kept = makeSamples(isDeep(samples), (samples.length / channels) * count);
  for (let from = first, to = 0; to < kept.length; from += channels) {
    for (let channel = 0; channel < count; channel++) kept[to++] = samples[from + channel] ?? 0;
  }
  return kept;
}

/** Upright, in its own color space. Transparency is separate because the networks process `rgb` only. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `width * height * 3` samples, interleaved. */
  readonly rgb: Samples;
  /** `width * height` samples as deep as `rgb`, 0 transparent; null: opaque. */
  readonly alpha: Samples | null;
  readonly metadata: PictureMetadata;
}

/** Opaque alpha is dropped. */
export function splitAlpha(interleaved: Samples, channels: number): Pick<Picture, 'rgb' | 'alpha'> {
  if (channels === 3) return { rgb: interleaved, alpha: null };
  if (channels !== 4) throw new Error(`expected 3 or 4 channels, got ${channels}`);
  const pixels = interleaved.length / 4;
  const rgb = makeSamples(isDeep(interleaved), pixels * 3);
  const alpha = makeSamples(isDeep(interleaved), pixels);
  const opaque = fullOf(interleaved);
  let lowest = opaque;
  for (let pixel = 0, from = 0, to = 0; pixel < pixels; pixel++) {
    rgb[to++] = interleaved[from++] ?? 0;
    rgb[to++] = interleaved[from++] ?? 0;
    rgb[to++] = interleaved[from++] ?? 0;
    const value = interleaved[from++] ?? opaque;
    alpha[pixel] = value;
    if (value < lowest) lowest = value;
  }
  return { rgb, alpha: lowest === opaque ? null : alpha };
}

export function interleave({ rgb, alpha }: Pick<Picture, 'rgb' | 'alpha'>): { samples: Samples; channels: 3 | 4 } {
  if (!alpha) return { samples: rgb, channels: 3 };
  const samples = makeSamples(isDeep(rgb), alpha.length * 4);
  for (let pixel = 0, from = 0, to = 0; pixel < alpha.length; pixel++) {
    samples[to++] = rgb[from++] ?? 0;
    samples[to++] = rgb[from++] ?? 0;
    samples[to++] = rgb[from++] ?? 0;
    samples[to++] = alpha[pixel] ?? 0;
  }
  return { samples, channels: 4 };
}

/** Rounding error, relative to white. */
const TOLERANCE = 2 / 255;
/** Per million pixels. */
const MAX_OUTLIERS = 1_000;

/**
 * Removes the white matte of Photoshop's transparent merged pictures. Other programs add none: a picture darker than a
 * matte allows stays unchanged.
 */
export function removeWhiteMatte(rgb: Samples, alpha: Samples): void {
  const white = fullOf(rgb);
  if (!mayHaveWhiteMatte(rgb, alpha, white)) return;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      const mixed = rgb[at] ?? 0;
      rgb[at] = Math.min(white, Math.max(0, Math.round((mixed - white * (1 - opacity)) / opacity)));
    }
  }
}

/** Undoes a multiplication of the colors by the transparency. Fully transparent pixels have no color. */
export function divideByAlpha(rgb: Samples, alpha: Samples): void {
  const white = fullOf(rgb);
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) rgb[at] = Math.min(white, Math.round((rgb[at] ?? 0) / opacity));
  }
}

function mayHaveWhiteMatte(rgb: Samples, alpha: Samples, white: number): boolean {
  const allowed = (alpha.length * MAX_OUTLIERS) / 1e6;
  let outliers = 0;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const least = white * (1 - TOLERANCE) - (alpha[pixel] ?? white);
    const at = pixel * 3;
    if ((rgb[at] ?? 0) < least || (rgb[at + 1] ?? 0) < least || (rgb[at + 2] ?? 0) < least) outliers++;
  }
  return outliers <= allowed;
}
