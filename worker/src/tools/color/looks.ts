import type { ColorEnhance } from '@clearframe/contract/pipeline';
import type { z } from 'zod';

export type LookName = z.infer<typeof ColorEnhance>['model'];

/** Hue in degrees of OKLab, and distance in the a-b plane (0.01 is barely visible). */
export interface Tint {
  hue: number;
  amount: number;
}

export interface HueBand {
  /** Center and half width in degrees; the effect fades towards both ends. */
  hue: number;
  reach: number;
  /** Degrees, at the center. */
  turn: number;
  chroma: number;
}

/** Lightness is OKLab's: 0 black, about 0.6 mid gray, 1 white. */
export interface Look {
  /** New lightness of 0, 0.25, 0.5, 0.75 and 1, on a monotone curve. */
  tones: readonly [number, number, number, number, number];
  saturation: number;
  /** Additional factor, larger for weak chroma. */
  vibrance: number;
  /** Split toning. */
  shadows: Tint;
  middle: Tint;
  highlights: Tint;
  bands: readonly HueBand[];
  /** Protection of skin from tints and hue changes, 0..1. Warm looks need less. */
  skinGuard: number;
}

const NONE: Tint = { hue: 0, amount: 0 };

/** Degrees of OKLab. */
const YELLOW = 105;
const GREEN = 140;
const CYAN = 205;
const BLUE = 255;

/** Tuned by eye on portraits of six skin tones, landscapes and still lifes. */
export const LOOKS: Readonly<Record<LookName, Look>> = {
  /** Golden hour: golden lights, olive foliage, muted skies. */
  golden: {
    tones: [0, 0.24, 0.515, 0.785, 1],
    saturation: 1.06,
    vibrance: 0.12,
    shadows: { hue: 55, amount: 0.008 },
    middle: { hue: 82, amount: 0.026 },
    highlights: { hue: 90, amount: 0.042 },
    bands: [
      { hue: GREEN, reach: 50, turn: -20, chroma: 0.95 },
      { hue: BLUE, reach: 55, turn: -6, chroma: 0.72 },
    ],
    skinGuard: 0.45,
  },
  /** Natural contrast: deeper blacks, clear lights, no tint. */
  steady: {
    tones: [0, 0.205, 0.495, 0.79, 1],
    saturation: 0.98,
    vibrance: 0.05,
    shadows: NONE,
    middle: NONE,
    highlights: NONE,
    bands: [],
    skinGuard: 0.5,
  },
  /** Even light: lifted shadows, lowered highlights, stronger weak colors. */
  balanced: {
    tones: [0, 0.3, 0.565, 0.785, 0.985],
    saturation: 1.06,
    vibrance: 0.32,
    shadows: NONE,
    middle: NONE,
    highlights: NONE,
    bands: [],
    skinGuard: 0.6,
  },
  /** Amber: yellows and reds shift to orange, blues recede. */
  orange: {
    tones: [0, 0.225, 0.505, 0.78, 1],
    saturation: 1.12,
    vibrance: 0.12,
    shadows: { hue: 45, amount: 0.026 },
    middle: { hue: 56, amount: 0.044 },
    highlights: { hue: 64, amount: 0.04 },
    bands: [
      { hue: YELLOW, reach: 40, turn: -20, chroma: 1.08 },
      { hue: GREEN, reach: 45, turn: -26, chroma: 0.75 },
      { hue: CYAN, reach: 45, turn: 0, chroma: 0.7 },
      { hue: BLUE, reach: 55, turn: -14, chroma: 0.5 },
      { hue: 15, reach: 35, turn: 14, chroma: 1.05 },
    ],
    skinGuard: 0.55,
  },
  /** Bright and soft: low contrast, pale colors, a touch of rose. */
  silky: {
    tones: [0.045, 0.315, 0.605, 0.845, 1],
    saturation: 0.86,
    vibrance: 0.05,
    shadows: { hue: 330, amount: 0.006 },
    middle: { hue: 10, amount: 0.008 },
    highlights: { hue: 20, amount: 0.007 },
    bands: [{ hue: BLUE, reach: 55, turn: -8, chroma: 0.9 }],
    skinGuard: 0.4,
  },
  /** Faded print: matte blacks, grayed colors, cool shadows. */
  muted: {
    tones: [0.1, 0.3, 0.52, 0.735, 0.94],
    saturation: 0.6,
    vibrance: 0,
    shadows: { hue: 250, amount: 0.01 },
    middle: NONE,
    highlights: { hue: 95, amount: 0.008 },
    bands: [],
    skinGuard: 0.35,
  },
  /** Teal and orange: teal shadows and skies, warm skin and lights. */
  teal: {
    tones: [0, 0.22, 0.495, 0.78, 1],
    saturation: 1.02,
    vibrance: 0.08,
    shadows: { hue: 205, amount: 0.034 },
    middle: { hue: 200, amount: 0.018 },
    highlights: { hue: 75, amount: 0.012 },
    bands: [
      { hue: BLUE, reach: 60, turn: -28, chroma: 0.68 },
      { hue: CYAN, reach: 35, turn: 0, chroma: 0.85 },
      { hue: GREEN, reach: 45, turn: 26, chroma: 0.8 },
      { hue: 60, reach: 45, turn: 0, chroma: 1.08 },
    ],
    skinGuard: 0.75,
  },
  /** Soft and warm: lifted shadows, peach tones, low contrast. */
  softWarm: {
    tones: [0.045, 0.3, 0.57, 0.8, 0.985],
    saturation: 0.92,
    vibrance: 0.05,
    shadows: { hue: 40, amount: 0.016 },
    middle: { hue: 55, amount: 0.02 },
    highlights: { hue: 65, amount: 0.014 },
    bands: [{ hue: BLUE, reach: 55, turn: -8, chroma: 0.78 }],
    skinGuard: 0.45,
  },
};
