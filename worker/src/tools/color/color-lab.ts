import type { ColorSpace, Matrix } from './color-space.js';

/** OKLab (Björn Ottosson, 2020): lightness 0..1, a from green to magenta, b from blue to yellow. */
export interface Lab {
  l: number;
  a: number;
  b: number;
}

/** Cone responses; white is 1, 1, 1. */
export type Cones = readonly [number, number, number];

export type Rgb = readonly [number, number, number];

/** Indexed, because destructuring would iterate in hot loops. */
const times = (m: Matrix, v: Rgb): [number, number, number] => [
  m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
  m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
  m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
];

/** Converts codes of 0..1. */
export function conesOf(space: ColorSpace, codes: Rgb): Cones {
  return conesOfLight(space, [space.toLight(0, codes[0]), space.toLight(1, codes[1]), space.toLight(2, codes[2])]);
}

export const conesOfLight = (space: ColorSpace, light: Rgb): Cones => times(space.toCones, light);

/** Linear RGB; outside 0..1 for colors out of gamut. */
export const lightOf = (space: ColorSpace, cones: Cones): Rgb => times(space.fromCones, cones);

export function labOfCones(cones: Cones): Lab {
  const l = Math.cbrt(cones[0]);
  const m = Math.cbrt(cones[1]);
  const s = Math.cbrt(cones[2]);
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
 * Codes 0..1. Chroma beyond `free`, the chroma before grading, is compressed into the gamut's remaining room, so that
 * strong colors stay distinct instead of clipping.
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
    const a = (color.a * middle) / chroma;
    const b = (color.b * middle) / chroma;
    if (fitsGamut(space, conesOfLab({ l: color.l, a, b }))) inside = middle;
    else outside = middle;
  }
  return inside;
}

function fitsGamut(space: ColorSpace, cones: Cones): boolean {
  const light = lightOf(space, cones);
  return isWithin(light[0]) && isWithin(light[1]) && isWithin(light[2]);
}

const isWithin = (light: number): boolean => light >= -1e-6 && light <= 1 + 1e-6;
