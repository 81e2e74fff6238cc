import { createRaster, type Raster } from '../rasters/raster.js';
import type { Frame } from './frame.js';
import { BT601, BT709, LIMITED } from './levels.js';

/** Coefficients from limited-range Y'CbCr to full-range R'G'B'. */
interface Matrix {
  readonly red: number;
  readonly greenBlue: number;
  readonly greenRed: number;
  readonly blue: number;
}

const LUMA_GAIN = 255 / LIMITED.luma;
const CHROMA_GAIN = 255 / LIMITED.chroma;
const matrixOf = ({ red, blue }: typeof BT709): Matrix => ({
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
