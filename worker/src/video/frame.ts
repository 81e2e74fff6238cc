import { createRaster, type Raster } from '../rasters/raster.js';
import type { Rgb } from '../tools/color/color-lab.js';

/** Planar 4:2:0 in 8 bits, limited range: luma, then both color planes of half the size. Even sides. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** Seconds. */
  readonly time: number;
}

export const frameBytes = (width: number, height: number): number => (width * height * 3) / 2;

export const lumaOf = ({ width, height, data }: Frame): Uint8Array => data.subarray(0, width * height);

/** Share of red and blue in luma. */
const BT601 = { red: 0.299, blue: 0.114 };
const BT709 = { red: 0.2126, blue: 0.0722 };
/** Levels of the limited range: darkest, and their number for luma and for chroma. */
const LIMITED = { black: 16, luma: 219, neutral: 128, chroma: 224 } as const;

/** Levels of luma, Cb and Cr of a limited range to red, green and blue; of 0..1 where such a color exists. */
export function toCodes([luma, cb, cr]: Rgb, is709: boolean): Rgb {
  const { red, blue } = is709 ? BT709 : BT601;
  const y = (luma - LIMITED.black) / LIMITED.luma;
  const r = y + (2 * (1 - red) * (cr - LIMITED.neutral)) / LIMITED.chroma;
  const b = y + (2 * (1 - blue) * (cb - LIMITED.neutral)) / LIMITED.chroma;
  return [r, (y - red * r - blue * b) / (1 - red - blue), b];
}

export function toLevels([r, g, b]: Rgb, is709: boolean): Rgb {
  const { red, blue } = is709 ? BT709 : BT601;
  const y = red * r + (1 - red - blue) * g + blue * b;
  return [
    LIMITED.black + LIMITED.luma * y,
    LIMITED.neutral + (LIMITED.chroma * (b - y)) / (2 * (1 - blue)),
    LIMITED.neutral + (LIMITED.chroma * (r - y)) / (2 * (1 - red)),
  ];
}

export const isWithin = ([r, g, b]: Rgb): boolean => r >= 0 && r <= 1 && g >= 0 && g <= 1 && b >= 0 && b <= 1;

const LUMA_GAIN = 255 / LIMITED.luma;
const CHROMA_GAIN = 255 / LIMITED.chroma;
/** Coefficients from limited-range Y'CbCr to full-range R'G'B'. */
const matrixOf = ({ red, blue }: typeof BT709) => ({
  red: 2 * (1 - red) * CHROMA_GAIN,
  blue: 2 * (1 - blue) * CHROMA_GAIN,
  greenBlue: ((2 * (1 - blue) * blue) / (1 - red - blue)) * CHROMA_GAIN,
  greenRed: ((2 * (1 - red) * red) / (1 - red - blue)) * CHROMA_GAIN,
});
const MATRIX_601 = matrixOf(BT601);
const MATRIX_709 = matrixOf(BT709);
/** Players assume BT.709 from this height on for files that don't state a matrix. */
const HD_HEIGHT = 700;
/** BT.2020 lies nearer to BT.709 than to BT.601. */
const NEAR_BT709 = ['bt709', 'bt2020nc', 'bt2020c', 'smpte240m'];

export const isBt709 = (space: string | null | undefined, height: number): boolean =>
  space ? NEAR_BT709.includes(space) : height >= HD_HEIGHT;

/** `halving` 1 or 2: the side in luma pixels of each pixel of the result. */
export function toRaster(frame: Frame, is709: boolean, halving: 1 | 2 = 1): Raster {
  const { width, height, data } = frame;
  const matrix = is709 ? MATRIX_709 : MATRIX_601;
  const out = createRaster(Math.floor(width / halving), Math.floor(height / halving));
  const target = new Uint8ClampedArray(out.data.buffer);
  const half = width / 2;
  const blueAt = width * height;
  const redAt = blueAt + half * (height / 2);
  for (let y = 0, to = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++, to += 3) {
      const own = y * halving * width + x * halving;
      const light =
        halving === 1
          ? (data[own] as number)
          : ((data[own] as number) +
              (data[own + 1] as number) +
              (data[own + width] as number) +
              (data[own + width + 1] as number)) /
            4;
      const color = (halving === 1 ? y >> 1 : y) * half + (halving === 1 ? x >> 1 : x);
      const luma = (light - 16) * LUMA_GAIN;
      const blue = (data[blueAt + color] as number) - 128;
      const red = (data[redAt + color] as number) - 128;
      target[to] = luma + matrix.red * red;
      target[to + 1] = luma - matrix.greenBlue * blue - matrix.greenRed * red;
      target[to + 2] = luma + matrix.blue * blue;
    }
  }
  return out;
}
