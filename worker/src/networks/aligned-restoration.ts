import { createRaster, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { alignFace, applyTo, fivePoints, meshFace, type Similarity, warp } from './face-alignment.js';
import type { Point } from './manifest.js';
import type { Session } from './sessions.js';

const MIN_PRESENCE = 0.5;
const MAX_SCALE = 4;
/** Share of the aligned square, from its center, with full opacity. */
const SOLID = 0.72;

/** The result is aligned too. */
export async function runAligned(
  session: Session,
  picture: Raster,
  points: readonly Point[],
): Promise<{ face: Raster; transform: Similarity }> {
  const { alignment, input, outputs, id } = session.entry;
  if (!alignment) throw new Error(`${id} has no alignment`);
  const side = Number(input.shape[2]);
  const { raster, transform } = await alignFace(picture, points, alignment, side);
  const [result] = await session.run(toPlanes(raster, input.range ?? [0, 1]), [1, 3, side, side]);
  if (!result) throw new Error(`${id} returned no output`);
  return { face: fromPlanes(result, side, outputs[0]?.range ?? [0, 1]), transform };
}

/**
 * Restores the face by a network for aligned faces and blends it into the enlarged picture. Without a face, it is
 * unchanged.
 */
export async function restoreAligned(session: Session, mesh: Session, picture: Raster): Promise<Raster> {
  const { points, presence } = await meshFace(mesh, picture);
  if (presence < MIN_PRESENCE) return picture;
  const places = fivePoints(points).map(([x, y]): Point => [x * picture.width, y * picture.height]);
  const { face, transform } = await runAligned(session, picture, places);
  const scale = Math.max(1, Math.min(MAX_SCALE, Math.hypot(transform.a, transform.b)));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  // Pixels of the result per aligned square; the axes differ by rounding only.
  const toFace = { ...transform, a: transform.a / scale, b: transform.b / scale };
  const enlarged = await resize(picture, width, height, 'cubic');
  return blendAligned(enlarged, warp(face, toFace, width, height), toFace, face.width);
}

function blendAligned(picture: Raster, restored: Raster, toFace: Similarity, side: number): Raster {
  const { width, height, data } = picture;
  const out = createRaster(width, height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = applyTo(toFace, [x + 0.5, y + 0.5]);
      const distance = Math.max(Math.abs((2 * u) / side - 1), Math.abs((2 * v) / side - 1));
      const part = Math.max(0, Math.min(1, (1 - distance) / (1 - SOLID)));
      const opacity = part * part * (3 - 2 * part);
      for (const end = at + 3; at < end; at++) {
        const own = data[at] ?? 0;
        out.data[at] = own + ((restored.data[at] ?? 0) - own) * opacity + 0.5;
      }
    }
  }
  return out;
}

/** NCHW planes in the network's range. */
export function toPlanes({ width, height, data }: Raster, [low, high]: readonly [number, number]): Float32Array {
  const plane = width * height;
  const planes = new Float32Array(3 * plane);
  const gain = (high - low) / 255;
  for (let pixel = 0, source = 0; pixel < plane; pixel++) {
    for (let channel = 0; channel < 3; channel++, source++) {
      planes[pixel + channel * plane] = (data[source] ?? 0) * gain + low;
    }
  }
  return planes;
}

function fromPlanes(planes: Float32Array, side: number, [low, high]: readonly [number, number]): Raster {
  const out = createRaster(side, side);
  const data = new Uint8ClampedArray(out.data.buffer);
  const plane = side * side;
  const gain = 255 / (high - low);
  for (let pixel = 0, target = 0; pixel < plane; pixel++) {
    for (let channel = 0; channel < 3; channel++, target++) {
      data[target] = ((planes[pixel + channel * plane] ?? 0) - low) * gain;
    }
  }
  return out;
}
