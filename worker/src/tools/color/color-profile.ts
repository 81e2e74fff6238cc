/** 3 x 3, row by row. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/** Code 0..1 to linear light 0..1. */
export type Curve = (code: number) => number;

export interface MatrixProfile {
  /** XYZ under D50, one colorant per column. */
  colorants: Matrix;
  curves: readonly [Curve, Curve, Curve];
}

/** Null unless it is a valid profile of three colorants and three curves. */
export function readMatrixProfile(icc: Uint8Array): MatrixProfile | null {
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
