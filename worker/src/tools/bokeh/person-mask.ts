import type { DetectedFace } from '../../networks/face-detector.js';
import type { Session } from '../../networks/sessions.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { smoothstep } from '../../rasters/ramp.js';
import { type Box, createRaster, type Raster } from '../../rasters/raster.js';
import { resizePart } from '../../rasters/resize.js';
import { type Plane, resizePlane } from '../../rasters/row-sampler.js';

/** Overlap of the squares that cover an oblong picture: people are detected less reliably in a squeezed one. */
const OVERLAP = 0.55;
/** Beyond, squares become longer. */
const MAX_SQUARES = 8;
/** The squeezed picture alone shows people cut by the squares' edges. */
const SQUEEZED_WEIGHT = 0.3;
const MAX_SQUEEZE = 2.5;
/** Fade along a square's inner edges, relative to its side. */
const EDGE_BAND = 0.15;
/** Least weight there, so that each place has some. */
const MIN_FADE = 1e-3;
/** Largest faces first. */
const MAX_ZOOMED_FACES = 8;
/** Sides of the zoomed squares in face boxes: the body, then head and shoulders. */
const ZOOM_SIDES = [9, 4.5];
/** Height of the face's center in a zoomed square, from its top, relative to its side. */
const FACE_HEIGHT = 0.4;
/** Maximum side of a zoomed square, relative to the picture's shorter side; larger ones add nothing. */
const MAX_ZOOM_SIDE = 0.8;
/**
 * Weight of 'no person' in a zoomed square: full within `near` of the way from the face to the edge, none from `far`
 * on. The network misjudges people that the square cuts.
 */
const REJECTION_FADE = { near: 0.5, far: 0.85 } as const;

/** Probability of a person, 0..1, on a grid of the picture's shape. */
export async function findPeople(
  session: Session,
  picture: Raster,
  faces: readonly DetectedFace[],
  { longestSide, signal }: { longestSide: number; signal?: AbortSignal },
): Promise<Plane> {
  const { width, height } = picture;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const grid = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const mask = await segmentSquares(session, picture, grid, signal);
  for (const factor of ZOOM_SIDES) {
    for (const face of faces.slice(0, MAX_ZOOMED_FACES)) {
      signal?.throwIfAborted();
      const at = squareAround(face.box, factor, width, height);
      if (at.width > Math.min(width, height) * MAX_ZOOM_SIDE) continue;
      blendZoomedMask(mask, await segmentPerson(session, picture, at), at, face.box, width);
    }
  }
  return mask;
}

async function segmentSquares(
  session: Session,
  picture: Raster,
  grid: { width: number; height: number },
  signal: AbortSignal | undefined,
): Promise<Plane> {
  const { width, height } = picture;
  const longest = Math.max(width, height);
  const side = Math.min(width, height);
  const step = 1 - OVERLAP;
  const length = Math.ceil(Math.max(side, longest / (1 + (MAX_SQUARES - 1) * step)));
  const sum = { ...grid, data: new Float32Array(grid.width * grid.height) };
  const weights = new Float32Array(sum.data.length);
  const add = async (at: Box, weight: number) => {
    signal?.throwIfAborted();
    const mask = await segmentPerson(session, picture, at);
    const { left, top, columns, rows } = onGrid(at, grid, width);
    const scaled = resizePlane(mask, columns, rows);
    const across = fadeAtEnds(columns, left > 0, left + columns < grid.width);
    const down = fadeAtEnds(rows, top > 0, top + rows < grid.height);
    withKernels(() => {
      const bytes = 4 * columns;
      const [values, fade, sums, shares] = [reserve(bytes), reserve(bytes), reserve(bytes), reserve(bytes)];
      heap.floats.set(across, fade >> 2);
      for (let y = 0; y < rows; y++) {
        const to = (top + y) * grid.width + left;
        heap.floats.set(scaled.data.subarray(y * columns, (y + 1) * columns), values >> 2);
        heap.floats.set(sum.data.subarray(to, to + columns), sums >> 2);
        heap.floats.set(weights.subarray(to, to + columns), shares >> 2);
        kernels.addWeighted(values, fade, weight * (down[y] as number), weight * MIN_FADE, sums, shares, columns);
        sum.data.set(floatsAt(sums, columns), to);
        weights.set(floatsAt(shares, columns), to);
      }
    });
  };
  const squeezable = longest <= side * MAX_SQUEEZE;
  if (squeezable) await add({ x: 0, y: 0, width, height }, SQUEEZED_WEIGHT);
  const count = Math.ceil((longest / length - 1) / step) + 1;
  for (let index = 0; index < count; index++) {
    const along = count === 1 ? 0 : Math.round(((longest - length) * index) / (count - 1));
    await add(
      width > height ? { x: along, y: 0, width: length, height } : { x: 0, y: along, width, height: length },
      1,
    );
  }
  for (let at = 0; at < weights.length; at++) {
    sum.data[at] = (sum.data[at] as number) / Math.max(1e-6, weights[at] as number);
  }
  return sum;
}

/** Moved or cut to fit the picture. */
function squareAround(face: Box, factor: number, width: number, height: number): Box {
  const side = Math.max(8, Math.round(Math.max(face.width, face.height) * factor));
  const boxWidth = Math.min(side, width);
  const boxHeight = Math.min(side, height);
  const left = Math.round(face.x + face.width / 2 - boxWidth / 2);
  const top = Math.round(face.y + face.height / 2 - boxHeight * FACE_HEIGHT);
  return {
    x: Math.max(0, Math.min(width - boxWidth, left)),
    y: Math.max(0, Math.min(height - boxHeight, top)),
    width: boxWidth,
    height: boxHeight,
  };
}

function blendZoomedMask(mask: Plane, zoomed: Plane, at: Box, face: Box, pictureWidth: number): void {
  const scale = mask.width / pictureWidth;
  const { left, top, columns, rows } = onGrid(at, mask, pictureWidth);
  const scaled = resizePlane(zoomed, columns, rows);
  const centerX = (face.x + face.width / 2) * scale - left;
  const centerY = (face.y + face.height / 2) * scale - top;
  const reach = (at.width * scale) / 2;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const to = (top + y) * mask.width + left + x;
      const own = mask.data[to] ?? 0;
      const found = scaled.data[y * columns + x] ?? 0;
      const offX = Math.abs(x + 0.5 - centerX) / reach;
      const offY = Math.abs(y + 0.5 - centerY) / reach;
      const weight =
        found > own
          ? 1 - smoothstep(1 - EDGE_BAND, 1, Math.max(offX, offY))
          : 1 - smoothstep(REJECTION_FADE.near, REJECTION_FADE.far, Math.sqrt(offX * offX + offY * offY));
      mask.data[to] = own + (found - own) * weight;
    }
  }
}

function onGrid(at: Box, grid: { width: number; height: number }, pictureWidth: number) {
  const scale = grid.width / pictureWidth;
  const left = Math.min(grid.width - 1, Math.round(at.x * scale));
  const top = Math.min(grid.height - 1, Math.round(at.y * scale));
  const columns = Math.max(1, Math.min(grid.width - left, Math.round(at.width * scale)));
  const rows = Math.max(1, Math.min(grid.height - top, Math.round(at.height * scale)));
  return { left, top, columns, rows };
}

/** 1 in the middle, falling towards fading ends. */
function fadeAtEnds(length: number, startFades: boolean, endFades: boolean): Float32Array {
  return Float32Array.from({ length }, (_, at) => {
    const start = startFades ? 1 - (at + 0.5) / length : 0;
    const end = endFades ? (at + 0.5) / length : 0;
    return 1 - smoothstep(1 - 2 * EDGE_BAND, 1, Math.max(start, end));
  });
}

const SIDE = 256;

/** Probability of a person in a part of a picture, 0..1, on a grid of 256 x 256: mean of the part and its mirror image. */
async function segmentPerson(session: Session, picture: Raster, at: Box): Promise<Plane> {
  const part = await resizePart(picture, at, SIDE, SIDE, 'linear');
  const mirror = createRaster(SIDE, SIDE);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    mirror.data.set(part.data.subarray(3 * pixel, 3 * pixel + 3), 3 * mirrored(pixel));
  }
  const [direct] = await session.runOn(part);
  const [reflected] = await session.runOn(mirror);
  const data = direct.map((value, pixel) => (value + (reflected[mirrored(pixel)] ?? 0)) / 2);
  return { width: SIDE, height: SIDE, data };
}

/** Index of the pixel on the other side of its row. */
const mirrored = (pixel: number): number => pixel + SIDE - 1 - 2 * (pixel % SIDE);
