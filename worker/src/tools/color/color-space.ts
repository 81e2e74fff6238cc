/** Converts samples to the working space (OKLab) and back, so that a picture keeps its color space. */
export interface ColorSpace {
  /** Codes 0..1 of a channel (0 red, 1 green, 2 blue) to linear light, and the inverse. */
  toLight(channel: number, code: number): number;
  toCode(channel: number, light: number): number;
  /** Linear RGB to OKLab's cone responses, and the inverse. */
  readonly toCones: Matrix;
  readonly fromCones: Matrix;
}

/** XYZ under D65 to OKLab's cone responses. */
const CONES_OF_XYZ: Matrix = [
  0.8189330101, 0.3618667424, -0.1288597137, 0.0329845436, 0.9293118715, 0.0361456387, 0.0482003018, 0.2643662691,
  0.633851707,
];
/** ICC profiles use D50. Bradford adaptation. */
const D65_OF_D50: Matrix = [
  0.9555766, -0.0230393, 0.0631636, -0.0282895, 1.0099416, 0.0210077, 0.0122982, -0.020483, 1.3299098,
];
/** XYZ under D50 of sRGB, one per column (IEC 61966-2-1, adapted). */
const SRGB_COLORANTS: Matrix = [
  0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733,
];

const srgbCurve: Curve = (code) => (code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4);

/** Entries of the tables of curves. */
const STEPS = 4096;

/** sRGB without a matrix profile: it is closest to the codes of profiles with tables. */
export function colorSpaceOf(icc: Uint8Array | null): ColorSpace {
  const parsed = icc && readMatrixProfile(icc);
  const space = (parsed && spaceOf(parsed)) ?? SRGB;
  if (!space) throw new Error('the colorants of sRGB are linearly dependent');
  return space;
}

function spaceOf({ colorants, curves }: MatrixProfile): ColorSpace | null {
  if (Math.abs(determinant(colorants)) < 1e-4) return null;
  const tables = curves.map(tabulate);
  const toCones = normalizeWhite(multiply(multiply(CONES_OF_XYZ, D65_OF_D50), colorants));
  return {
    toCones,
    fromCones: invert(toCones),
    toLight: (channel, code) => lookUp(tables[channel], code),
    toCode: (channel, light) => invertLookup(tables[channel], light),
  };
}

/** Makes white exactly neutral: rounding in profiles would tint grays. */
function normalizeWhite(matrix: Matrix): Matrix {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const [first, second, third] = [a + b + c, d + e + f, g + h + i];
  return [a / first, b / first, c / first, d / second, e / second, f / second, g / third, h / third, i / third];
}

function tabulate(curve: Curve): Float64Array {
  const table = new Float64Array(STEPS + 1);
  let highest = 0;
  for (let step = 0; step <= STEPS; step++) {
    // Only monotone curves can be inverted.
    highest = Math.max(highest, Math.min(1, Math.max(0, curve(step / STEPS))));
    table[step] = highest;
  }
  return table;
}

function lookUp(table: Float64Array | undefined, code: number): number {
  const position = Math.max(0, Math.min(1, code)) * STEPS;
  const step = Math.min(STEPS - 1, Math.floor(position));
  const low = table?.[step] ?? 0;
  return low + ((table?.[step + 1] ?? 1) - low) * (position - step);
}

function invertLookup(table: Float64Array | undefined, light: number): number {
  if (!table || light <= (table[0] ?? 0)) return 0;
  if (light >= (table[STEPS] ?? 1)) return 1;
  let low = 0;
  let high = STEPS;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((table[middle] ?? 0) <= light) low = middle;
    else high = middle;
  }
  const from = table[low] ?? 0;
  return (low + (light - from) / Math.max(1e-12, (table[high] ?? 1) - from)) / STEPS;
}

const SRGB = spaceOf({ colorants: SRGB_COLORANTS, curves: [srgbCurve, srgbCurve, srgbCurve] });

function multiply(m: Matrix, n: Matrix): Matrix {
  const at = (row: number, column: number) =>
    (m[row * 3] ?? 0) * (n[column] ?? 0) +
    (m[row * 3 + 1] ?? 0) * (n[column + 3] ?? 0) +
    (m[row * 3 + 2] ?? 0) * (n[column + 6] ?? 0);
  return [at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)];
}

function determinant([a, b, c, d, e, f, g, h, i]: Matrix): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

function invert(matrix: Matrix): Matrix {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const s = 1 / determinant(matrix);
  return [
    (e * i - f * h) * s,
    (c * h - b * i) * s,
    (b * f - c * e) * s,
    (f * g - d * i) * s,
    (a * i - c * g) * s,
    (c * d - a * f) * s,
    (d * h - e * g) * s,
    (b * g - a * h) * s,
    (a * e - b * d) * s,
  ];
}

/** 3 x 3, row by row. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/** Code 0..1 to linear light 0..1. */
type Curve = (code: number) => number;

interface MatrixProfile {
  /** XYZ under D50, one colorant per column. */
  colorants: Matrix;
  curves: readonly [Curve, Curve, Curve];
}

/** Null unless it is a valid profile of three colorants and three curves. */
function readMatrixProfile(icc: Uint8Array): MatrixProfile | null {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  try {
    const tags = readTags(view);
    const [r, g, b] = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readXyz(view, tags.get(name)));
    const [red, green, blue] = ['rTRC', 'gTRC', 'bTRC'].map((name) => readCurve(view, tags.get(name)));
    if (tags.has('A2B0') || !r || !g || !b || !red || !green || !blue) return null;
    return { colorants: [r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]], curves: [red, green, blue] };
  } catch (error) {
    // A damaged profile: offsets outside the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** ICC.1:2022, 7.3: count at 128, then signature, offset and size. */
function readTags(view: DataView): Map<string, number> {
  const tags = new Map<string, number>();
  const count = Math.min(100, view.getUint32(128));
  for (let index = 0; index < count; index++) tags.set(text(view, 132 + index * 12), view.getUint32(136 + index * 12));
  return tags;
}

const text = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

const fixed = (view: DataView, at: number): number => view.getInt32(at) / 65536;

function readXyz(view: DataView, at: number | undefined): readonly [number, number, number] | null {
  if (at === undefined || text(view, at) !== 'XYZ ') return null;
  return [fixed(view, at + 8), fixed(view, at + 12), fixed(view, at + 16)];
}

/** `curv` and `para`: ICC.1:2022, 10.6 and 10.18. */
function readCurve(view: DataView, at: number | undefined): Curve | null {
  if (at === undefined) return null;
  const type = text(view, at);
  if (type === 'curv') return readSampledCurve(view, at);
  if (type !== 'para') return null;
  const kind = view.getUint16(at + 8);
  const parameters = Array.from({ length: [1, 3, 4, 5, 7][kind] ?? 0 }, (_, index) => fixed(view, at + 12 + index * 4));
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = parameters;
  const power = (code: number) => Math.max(0, a * code + b) ** g;
  if (kind === 0) return (code) => code ** g;
  if (kind === 1) return (code) => (code >= -b / a ? power(code) : 0);
  if (kind === 2) return (code) => (code >= -b / a ? power(code) + c : c);
  if (kind === 3) return (code) => (code >= d ? power(code) : c * code);
  return kind === 4 ? (code) => (code >= d ? power(code) + e : c * code + f) : null;
}

function readSampledCurve(view: DataView, at: number): Curve {
  const count = view.getUint32(at + 8);
  if (count === 0) return (code) => code;
  if (count === 1) {
    const gamma = view.getUint16(at + 12) / 256;
    return (code) => code ** gamma;
  }
  const last = count - 1;
  view.getUint16(at + 12 + last * 2);
  return (code) => {
    const position = code * last;
    const step = Math.min(last - 1, Math.floor(position));
    const low = view.getUint16(at + 12 + step * 2);
    return (low + (view.getUint16(at + 14 + step * 2) - low) * (position - step)) / 65535;
  };
}
