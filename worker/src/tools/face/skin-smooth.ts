import { boxBlur, boxMean } from '../../rasters/filters.js';
import type { Planes } from '../../rasters/raster.js';
import { smoothstep, weightedMeans } from './skin-tone.js';

/** Bands of skin by fineness. Finer than `low` are pores, hairs and grain. */
export interface SkinBands {
  low: Float32Array;
  /** Without blotches and small unevenness; folds and contours stay. */
  base: Float32Array;
  /** Color of the surrounding clear skin. */
  clear: Planes;
  even: Pick<Planes, 'blueDifference' | 'redDifference'>;
  /** Small round spots, darker or redder than their surroundings, 0..1. */
  blemishes: Float32Array;
}

/** In face widths. */
const FINEST_BLUR = 0.006;
const BASE_RADIUS = 0.035;
const CLEAR_RADIUS = 0.03;
const EVEN_RADIUS = 0.075;
/** Contrast relative to luma that is half an edge. */
const EDGE_CONTRAST = 0.085;

const SPOT_SIZES = [0.009, 0.016];
/** Depth in levels on skin of medium brightness, partly and fully a spot. */
const SPOT_DEPTH = [5, 12] as const;
/** Moles and piercings are deeper and stay. */
const MOLE_DEPTH = [34, 48] as const;
const REDNESS = 1.2;
/** Least-curvature response to a Gaussian spot of depth 1, as wide as the blur. */
const SPOT_RESPONSE = 0.25;
const MEDIUM_BRIGHTNESS = 150;
/** Beyond their positive curvature, in face widths. */
const SPOT_RIM = 0.009;
const MOLE_RIM = 0.03;

type Three = [Float32Array, Float32Array, Float32Array];
type Means = (planes: readonly Float32Array[]) => Float32Array[];

export function separateSkin(planes: Planes, skin: Float32Array, brightness: number, faceWidth: number): SkinBands {
  const { width, height } = planes;
  const colors = [planes.blueDifference, planes.redDifference];
  const low = boxBlur(planes.luma, planes, Math.max(0.8, FINEST_BLUR * faceWidth));
  const blemishes = findBlemishes(planes, skin, brightness, faceWidth);
  const clearWeights = skin.map((weight, at) => weight * (1 - (blemishes[at] ?? 0)));
  const meansOf = (values: readonly Float32Array[], part: number) =>
    weightedMeans(values, clearWeights, width, height, Math.round(part * faceWidth)) as Three;
  const [luma, blueDifference, redDifference] = meansOf([low, ...colors], CLEAR_RADIUS);
  const clear = { width, height, luma, blueDifference, redDifference };
  const [evenBlue, evenRed] = meansOf(colors, EVEN_RADIUS);
  const even = { blueDifference: evenBlue, redDifference: evenRed };
  const epsilon = (EDGE_CONTRAST * brightness) ** 2;
  const reach = Math.max(2, Math.round(BASE_RADIUS * faceWidth));
  const base = guidedBase(low, (values) => weightedMeans(values, skin, width, height, reach), epsilon);
  return { low, base, clear, even, blemishes };
}

/** Self-guided filter (He, Sun and Tang) weighted by skin: lips, brows and hair don't bleed in. */
function guidedBase(values: Float32Array, meansOf: Means, epsilon: number) {
  const squares = values.map((value) => value * value);
  const [mean = values, square = squares] = meansOf([values, squares]);
  const gain = new Float32Array(values.length);
  const offset = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const middle = mean[at] ?? 0;
    const variance = Math.max(0, (square[at] ?? 0) - middle * middle);
    const part = variance / (variance + epsilon);
    gain[at] = part;
    offset[at] = middle * (1 - part);
  }
  const [gains = gain, offsets = offset] = meansOf([gain, offset]);
  return values.map((value, at) => value * (gains[at] ?? 1) + (offsets[at] ?? 0));
}

/** Spots curve in both directions, wrinkles and edges in one. */
function findBlemishes(planes: Planes, skin: Float32Array, brightness: number, faceWidth: number): Float32Array {
  const { width, height } = planes;
  const spotted = planes.luma.map((value, at) => value - REDNESS * (planes.redDifference[at] ?? 0));
  const found = new Float32Array(spotted.length);
  const moles = new Float32Array(spotted.length);
  // Spots have fewer levels on darker skin.
  const scale = MEDIUM_BRIGHTNESS / Math.max(40, Math.min(220, brightness));
  for (const size of SPOT_SIZES) {
    const sigma = Math.max(1, size * faceWidth);
    const data = boxBlur(spotted, planes, sigma);
    const depthOf = (sigma * sigma * scale) / SPOT_RESPONSE;
    for (let row = 1; row < height - 1; row++) {
      for (let at = row * width + 1; at < (row + 1) * width - 1; at++) {
        if ((skin[at] ?? 0) <= 0.05) continue;
        const depth = leastCurvature(data, at, width) * depthOf;
        if (depth <= SPOT_DEPTH[0]) continue;
        found[at] = Math.max(found[at] ?? 0, smoothstep(depth, SPOT_DEPTH));
        moles[at] = Math.max(moles[at] ?? 0, smoothstep(depth, MOLE_DEPTH));
      }
    }
  }
  const reach = (part: number) => Math.max(1, Math.round(part * faceWidth));
  // Slopes of a mole curve as little as a spot.
  const kept = spread(moles, width, height, reach(MOLE_RIM));
  for (let at = 0; at < found.length; at++) found[at] = (found[at] ?? 0) * (1 - (kept[at] ?? 0));
  return boxMean(spread(found, width, height, reach(SPOT_RIM)), width, height, 1);
}

/** Smaller eigenvalue of the Hessian. */
function leastCurvature(data: Float32Array, at: number, width: number): number {
  const middle = 2 * (data[at] ?? 0);
  const across = (data[at - 1] ?? 0) + (data[at + 1] ?? 0) - middle;
  const down = (data[at - width] ?? 0) + (data[at + width] ?? 0) - middle;
  const mixed =
    ((data[at - width - 1] ?? 0) +
      (data[at + width + 1] ?? 0) -
      (data[at - width + 1] ?? 0) -
      (data[at + width - 1] ?? 0)) /
    4;
  const half = (across - down) / 2;
  return (across + down) / 2 - Math.sqrt(half * half + mixed * mixed);
}

function spread(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const most = Float32Array.from(values);
  // Nearly all values are zero: stamps the others.
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const value = values[at] ?? 0;
      if (value <= 0) continue;
      for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row++) {
        for (let near = Math.max(0, x - radius); near <= Math.min(width - 1, x + radius); near++) {
          if (value > (most[row * width + near] ?? 0)) most[row * width + near] = value;
        }
      }
    }
  }
  return most;
}
