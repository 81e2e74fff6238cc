import type { ColorEnhance } from '@clearframe/contract';
import type { z } from 'zod';

export type LookName = z.infer<typeof ColorEnhance>['model'];

/** A tint: towards which hue in degrees of OKLab, and how far in its a-b plane (0.01 is just seen). */
export interface Tint {
  hue: number;
  amount: number;
}

/** What happens to the colours around one hue. */
export interface HueBand {
  /** Middle of the band and half its width, in degrees; the effect fades out towards both ends. */
  hue: number;
  reach: number;
  /** Degrees by which hues in the middle turn. */
  turn: number;
  /** Factor on their chroma. */
  chroma: number;
}

/** A look, entirely as numbers. Lightness is OKLab's: 0 black, 0.6 about middle grey, 1 white. */
export interface Look {
  /** Lightness that comes out for 0, 0.25, 0.5, 0.75 and 1; a monotone curve runs through them. */
  tones: readonly [number, number, number, number, number];
  /** Factor on every chroma. */
  saturation: number;
  /** Further factor on weak chroma, less on strong: 0 none. */
  vibrance: number;
  /** Split toning. */
  shadows: Tint;
  middle: Tint;
  highlights: Tint;
  bands: readonly HueBand[];
  /** How far skin is kept from tints and turned hues, 0..1. Looks that warm need less than those that cool. */
  skinGuard: number;
}

const NONE: Tint = { hue: 0, amount: 0 };

/** Hues that looks turn, in degrees of OKLab. */
const YELLOW = 105;
const GREEN = 140;
const CYAN = 205;
const BLUE = 255;

/**
 * The eight looks. Each is made to be told from the others at a glance and to deserve its name; tuned by eye on
 * portraits of six skin tones, landscapes and still lifes.
 */
export const LOOKS: Readonly<Record<LookName, Look>> = {
  /** The hour before sunset: gold in the lights, foliage turns olive, skies step back. */
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
  /** Firm and true: deeper blacks, clear lights, no tint at all. */
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
  /** Even light: shadows opened, highlights held back, quiet colours woken up. */
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
  /** Amber through and through: yellows and reds meet at orange, blues give way. */
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
  /** Bright and soft as cloth: low contrast, pale colours, a breath of rose. */
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
  /** Old print: matt blacks, greyed colours, a cool shade in the depths. */
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
  /** Cinema: shadows and skies go to teal, skin and lamps stay warm against them. */
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
  /** An overcast afternoon indoors: lifted shadows, peach over everything, nothing harsh. */
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
