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
  const { raster, transform } = await alignFace(picture, points, session);
  const [result] = await session.runOn(raster);
  return { face: fromPlanes(result, raster.width, session.entry.outputs[0]?.range ?? [0, 1]), transform };
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
  return blendAligned(await resize(picture, width, height, 'cubic'), face, toFace);
}

/** The picture with a share of an aligned face, which fades out towards the border of its square. */
export function blendAligned(picture: Raster, face: Raster, toFace: Similarity, share = 1): Raster {
  const { width, height, data } = picture;
  const restored = warp(face, toFace, width, height);
  const out = createRaster(width, height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = applyTo(toFace, [x + 0.5, y + 0.5]);
      const distance = Math.max(Math.abs((2 * u) / face.width - 1), Math.abs((2 * v) / face.width - 1));
      const part = Math.max(0, Math.min(1, (1 - distance) / (1 - SOLID)));
      const opacity = share * part * part * (3 - 2 * part);
      for (const end = at + 3; at < end; at++) {
        const own = data[at] ?? 0;
        out.data[at] = own + ((restored.data[at] ?? 0) - own) * opacity + 0.5;
      }
    }
  }
  return out;
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
