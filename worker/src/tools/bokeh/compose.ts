import { boxMean } from '../../rasters/filters.js';
import type { Plane } from '../../rasters/guided-filter.js';
import { codeOfLight, LIGHT_OF_CODE } from '../../rasters/linear-light.js';
import type { Raster } from '../../rasters/raster.js';
import { RowSampler, runsBetween } from '../../rasters/resampling/row-sampler.js';
import { type Lens, type Light, reduceLight } from './lens.js';
import { ROWS_AT_ONCE } from './matte.js';

/** For the color of hair, relative to the longest side. */
const NEIGHBORHOOD = 0.006;
/** Maximum side of its squares in pixels. */
const MAX_REDUCTION = 4;
/** In reduced pixels; smaller discs need a smaller reduction. */
const MIN_DISC = 1.5;

export async function composeBokeh(
  picture: Raster,
  opacity: Plane,
  { background, lens }: { background: Light; lens: Lens },
  onRows: (fraction: number) => Promise<void>,
): Promise<void> {
  const { width, height, data } = picture;
  const share = background.reduction === 1 ? 1 : Math.min(1, lens.radius / (MIN_DISC * background.reduction));
  const near = nearbyColors(picture, opacity);
  const behindPeople = samplerOf(background, width);
  const nearPeople = samplerOf(near, width);
  const row = () => new Float32Array(width);
  const [red, green, blue] = [row(), row(), row()];
  const edge = Array.from({ length: 6 }, row);
  for (let y = 0; y < height; y++) {
    if (y % ROWS_AT_ONCE === 0) await onRows(y / height);
    const start = y * width;
    const alphas = opacity.data.subarray(start, start + width);
    for (const mixed of runsBetween(alphas, 0, 1)) {
      for (const [index, target] of edge.entries()) nearPeople.fill(near.planes[index] ?? red, y, target, mixed);
    }
    for (const shown of runsBetween(alphas, Number.NEGATIVE_INFINITY, 1)) {
      behindPeople.fill(background.red, y, red, shown);
      behindPeople.fill(background.green, y, green, shown);
      behindPeople.fill(background.blue, y, blue, shown);
      for (let x = shown.first, at = (start + x) * 3; x < shown.end; x++, at += 3) {
        const alpha = alphas[x] as number;
        const noise = dither(x, y);
        for (let channel = 0; channel < 3; channel++) {
          const behind = (channel === 0 ? red : channel === 1 ? green : blue)[x] ?? 0;
          const own = LIGHT_OF_CODE[data[at + channel] as number] as number;
          let light = behind;
          if (alpha > 0)
            light =
              foreground(own, alpha, edge[channel]?.[x] ?? 0, edge[channel + 3]?.[x] ?? 0) * alpha +
              behind * (1 - alpha);
          if (share < 1) light = own + (light - own) * share;
          data[at + channel] = Math.max(0, Math.min(255, codeOfLight(light) + noise + 0.5));
        }
      }
    }
  }
}

/**
 * The person's light in a mixed pixel: the color beside the edge, corrected by the pixel (blur fusion of Germer et
 * al., Fast Multi-Level Foreground Estimation, 2020). Otherwise the sharp background fringes hair.
 */
function foreground(own: number, alpha: number, person: number, behind: number): number {
  const light = person + alpha * (own - alpha * person - (1 - alpha) * behind);
  return Math.max(0, Math.min(1, light));
}

interface Nearby {
  width: number;
  height: number;
  reduction: number;
  /** RGB of people, then of the background. */
  planes: Float32Array[];
}

function nearbyColors(picture: Raster, opacity: Plane): Nearby {
  const radius = NEIGHBORHOOD * Math.max(picture.width, picture.height);
  const reduction = Math.max(1, Math.min(MAX_REDUCTION, Math.round(radius / 3)));
  const people = averaged(
    reduceLight(picture, opacity, reduction, (opacities, weights) => weights.set(opacities)),
    radius,
  );
  const behind = averaged(
    reduceLight(picture, opacity, reduction, (opacities, weights) => {
      for (let at = 0; at < weights.length; at++) weights[at] = 1 - (opacities[at] as number);
    }),
    radius,
  );
  const { width, height } = people;
  return {
    width,
    height,
    reduction,
    planes: [people.red, people.green, people.blue, behind.red, behind.green, behind.blue],
  };
}

function averaged(light: Light, radius: number): Light {
  const { width, height, reduction } = light;
  const reach = Math.max(1, Math.round(radius / reduction));
  const weight = boxMean(light.weight, width, height, reach);
  const mean = (plane: Float32Array) => {
    const sums = boxMean(plane, width, height, reach);
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) / Math.max(1e-5, weight[at] ?? 0);
    return sums;
  };
  return { ...light, red: mean(light.red), green: mean(light.green), blue: mean(light.blue), weight };
}

/** Rows of reduced planes at the picture's size. */
const samplerOf = ({ width, height, reduction }: Omit<Nearby, 'planes'>, columns: number): RowSampler =>
  new RowSampler({ width, height }, width * reduction, height * reduction, columns);

/** Deterministic noise below a level against banding. */
function dither(x: number, y: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return ((hash >>> 0) / 2 ** 32 - 0.5) * 0.9;
}
