import type { Matrix } from './color-profile.js';
import type { ColorSpace } from './color-space.js';

/** OKLab (Björn Ottosson, 2020): lightness 0..1, a from green to magenta, b from blue to yellow. */
export interface Lab {
  l: number;
  a: number;
  b: number;
}

/** Cone responses; white is 1, 1, 1. */
export type Cones = readonly [number, number, number];

export type Rgb = readonly [number, number, number];

const times = (m: Matrix, [x, y, z]: Rgb): [number, number, number] => [
  m[0] * x + m[1] * y + m[2] * z,
  m[3] * x + m[4] * y + m[5] * z,
  m[6] * x + m[7] * y + m[8] * z,
];

/** Converts codes of 0..1. */
export function conesOf(space: ColorSpace, [red, green, blue]: Rgb): Cones {
  return times(space.toCones, [space.toLight(0, red), space.toLight(1, green), space.toLight(2, blue)]);
}

/** Linear RGB; outside 0..1 for colors out of gamut. */
export const lightOf = (space: ColorSpace, cones: Cones): Rgb => times(space.fromCones, cones);

export function labOfCones([long, medium, short]: Cones): Lab {
  const [l, m, s] = [Math.cbrt(long), Math.cbrt(medium), Math.cbrt(short)];
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

export function conesOfLab({ l, a, b }: Lab): Cones {
  return [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
}

/** Not `Math.hypot`, which takes ten times as long. */
export const chromaOf = ({ a, b }: Lab): number => Math.sqrt(a * a + b * b);

/** Degrees, 0..360: about 29 red, 55 skin, 110 yellow, 142 green, 195 teal, 264 blue. */
export const hueOf = ({ a, b }: Lab): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

/** a and b at chroma 1. */
export const hueVector = (hue: number): readonly [number, number] => [
  Math.cos((hue * Math.PI) / 180),
  Math.sin((hue * Math.PI) / 180),
];

/** Degrees, -180..180. */
export const hueDifference = (from: number, to: number): number => ((to - from + 540) % 360) - 180;

/**
 * Codes 0..1, with chroma reduced to the gamut. Chroma beyond `free`, the chroma before grading, is compressed into the
 * remaining room, so that strong colors stay distinct instead of clipping.
 */
export function codesWithin(space: ColorSpace, color: Lab, free: number): Rgb {
  const chroma = chromaOf(color);
  const within = { ...color, l: Math.max(0, Math.min(1, color.l)) };
  const scale = chroma > 0 ? chromaWithin(space, within, chroma, free) / chroma : 0;
  const light = lightOf(space, conesOfLab({ l: within.l, a: color.a * scale, b: color.b * scale }));
  return [space.toCode(0, light[0]), space.toCode(1, light[1]), space.toCode(2, light[2])];
}

function chromaWithin(space: ColorSpace, color: Lab, chroma: number, free: number): number {
  const added = chroma - free;
  if (added <= 0 && fitsGamut(space, conesOfLab(color))) return chroma;
  const most = maxChroma(space, color, chroma);
  if (added <= 0) return Math.min(chroma, most);
  const start = Math.min(free, most);
  const room = most - start;
  return start + (room > 1e-9 ? room * (1 - Math.exp(-added / room)) : 0);
}

/** Chroma at the gamut's boundary, searched up to at least `atLeast`. */
function maxChroma(space: ColorSpace, color: Lab, atLeast: number): number {
  let inside = 0;
  let outside = Math.max(0.5, atLeast);
  const chroma = chromaOf(color);
  for (let step = 0; step < 14; step++) {
    const middle = (inside + outside) / 2;
    const [a, b] = [(color.a * middle) / chroma, (color.b * middle) / chroma];
    if (fitsGamut(space, conesOfLab({ l: color.l, a, b }))) inside = middle;
    else outside = middle;
  }
  return inside;
}

function fitsGamut({ fromCones }: ColorSpace, [long, medium, short]: Cones): boolean {
  for (let row = 0; row < fromCones.length; row += 3) {
    const [ofLong = 0, ofMedium = 0, ofShort = 0] = [fromCones[row], fromCones[row + 1], fromCones[row + 2]];
    const light = ofLong * long + ofMedium * medium + ofShort * short;
    if (light < -1e-6 || light > 1 + 1e-6) return false;
  }
  return true;
}
