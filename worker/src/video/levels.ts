import type { Rgb } from '../tools/color/color-lab.js';

/** Share of red and blue in luma. */
interface Weights {
  readonly red: number;
  readonly blue: number;
}

export const BT601: Weights = { red: 0.299, blue: 0.114 };
export const BT709: Weights = { red: 0.2126, blue: 0.0722 };
/** Levels of the limited range: darkest, and their number for luma and for chroma. */
export const LIMITED = { black: 16, luma: 219, neutral: 128, chroma: 224 } as const;

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
