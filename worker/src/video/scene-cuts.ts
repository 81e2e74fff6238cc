import { type Frame, lumaOf } from './frame.js';

/** Mean difference of small pictures, in levels, from which a new scene begins. */
const CUT = 26;
const THUMBNAIL = { width: 32, height: 18 } as const;
/** Samples per side of a cell. */
const SAMPLES = 4;

/** Whether a new scene begins with the second frame. */
export const isSceneCut = (before: Frame, frame: Frame): boolean =>
  differenceOf(thumbnailOf(before), thumbnailOf(frame)) > CUT;

/** Mean luma of the cells of a grid, by samples. */
function thumbnailOf(frame: Frame): Float32Array {
  const { width, height } = THUMBNAIL;
  const luma = lumaOf(frame);
  const cells = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (let part = 0; part < SAMPLES ** 2; part++) {
        const x = Math.floor(((column + ((part % SAMPLES) + 0.5) / SAMPLES) * frame.width) / width);
        const y = Math.floor(((row + (Math.floor(part / SAMPLES) + 0.5) / SAMPLES) * frame.height) / height);
        sum += luma[y * frame.width + x] as number;
      }
      cells[row * width + column] = sum / SAMPLES ** 2;
    }
  }
  return cells;
}

const differenceOf = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
