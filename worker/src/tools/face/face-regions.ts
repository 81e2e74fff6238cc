import { boxBlur } from '../../rasters/filters.js';
import { ramp, smoothstep } from '../../rasters/ramp.js';
import { type Point, pointOf } from './face-regions-shape.js';

/** Masks on one grid, 0..1 with soft edges. */
export interface FaceRegions {
  /** Face with forehead, up to ears, chin and hair. */
  oval: Float32Array;
  /** Like `oval`, fading from the middle: light without a visible border. */
  glow: Float32Array;
  /** Without eyes, brows, lips and nostrils. May include hair and glasses. */
  skin: Float32Array;
  /** Between the lids. */
  eyes: Float32Array;
  lips: Float32Array;
  /** Between the lips; empty for a closed mouth. */
  mouth: Float32Array;
  underEyes: Float32Array;
}

const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
const EYES = [
  [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246],
  [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466],
];
/** Eyes with lids and lashes. */
const LIDS = [
  [130, 25, 110, 24, 23, 22, 26, 112, 243, 190, 56, 28, 27, 29, 30, 247],
  [359, 255, 339, 254, 253, 252, 256, 341, 463, 414, 286, 258, 257, 259, 260, 467],
];
const BROWS = [
  [70, 63, 105, 66, 107, 55, 65, 52, 53, 46],
  [300, 293, 334, 296, 336, 285, 295, 282, 283, 276],
];
const LIPS = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185];
const MOUTH = [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191];
const NOSTRILS = [
  [240, 99, 242, 141, 94, 19, 44, 237, 218, 219, 235],
  [460, 328, 462, 370, 94, 19, 274, 457, 438, 439, 455],
];
const UNDER_EYES = [
  [25, 110, 24, 23, 22, 26, 112, 232, 231, 230, 229, 228, 31],
  [255, 339, 254, 253, 252, 256, 341, 452, 451, 450, 449, 448, 261],
];
/** The mesh ends at mid-forehead; adds this share of the distance from the brows. */
const FOREHEAD_RISE = 0.5;
const BROW_MIDDLE = 9;
const FOREHEAD = 10;
/** Forehead points from the middle outwards, and their share of the rise. */
const FOREHEAD_RISE_SHARES: ReadonlyMap<number, number> = new Map([
  [10, 1],
  [338, 0.98],
  [109, 0.98],
  [297, 0.9],
  [67, 0.9],
  [332, 0.72],
  [103, 0.72],
  [284, 0.45],
  [54, 0.45],
  [251, 0.15],
  [21, 0.15],
]);

/** Softness and added reach of edges in face widths: the mesh is not exact. */
const SOFTNESS = { outline: 0.06, glow: 0.16, eyes: 0.01, mouth: 0.01, lips: 0.008, underEyes: 0.025 };
const GROWTH = { lids: 0.012, brows: 0.028, lips: 0.018, nostrils: 0.012 };

/** `points` and `faceWidth` in grid pixels. */
export function drawRegions(points: Float32Array, faceWidth: number, width: number, height: number): FaceRegions {
  const draw = (rings: readonly (readonly number[])[]): Float32Array =>
    fillPolygons(
      rings.map((ring) => ring.map((index) => pointOf(points, index))),
      width,
      height,
    );
  const soften = (mask: Float32Array, reach: number) => boxBlur(mask, { width, height }, reach * faceWidth);
  const hard = fillPolygons([outlineOf(points)], width, height);
  /** Full from about twice the reach inside the edge, zero at the edge. */
  const fadeInwards = (mask: Float32Array, reach: number) =>
    soften(mask, reach).map((soft, at) => smoothstep(0.5, 1, soft) * (mask[at] ?? 0));
  /** Full inside, zero from about twice the reach outside the edge. */
  const grow = (mask: Float32Array, reach: number) =>
    soften(mask, reach).map((soft, at) => smoothstep(0, 1, Math.max(mask[at] ?? 0, 2 * soft)));
  const oval = fadeInwards(hard, SOFTNESS.outline);
  const features = [
    grow(draw(LIDS), GROWTH.lids),
    grow(draw(BROWS), GROWTH.brows),
    grow(draw([LIPS]), GROWTH.lips),
    grow(draw(NOSTRILS), GROWTH.nostrils),
  ];
  return {
    oval,
    glow: fadeInwards(hard, SOFTNESS.glow),
    skin: oval.map((inside, at) => features.reduce((skin, mask) => skin * (1 - (mask[at] ?? 0)), inside)),
    eyes: fadeInwards(draw(EYES), SOFTNESS.eyes),
    lips: soften(draw([LIPS]), SOFTNESS.lips),
    mouth: fadeInwards(draw([MOUTH]), SOFTNESS.mouth),
    underEyes: soften(draw(UNDER_EYES), SOFTNESS.underEyes),
  };
}

/** Outline with the whole forehead: the limit of all changes. */
export function outlineOf(points: Float32Array): Point[] {
  const brow = pointOf(points, BROW_MIDDLE);
  const top = pointOf(points, FOREHEAD);
  const up = { x: (top.x - brow.x) * FOREHEAD_RISE, y: (top.y - brow.y) * FOREHEAD_RISE };
  return OVAL.map((index) => {
    const { x, y } = pointOf(points, index);
    const part = FOREHEAD_RISE_SHARES.get(index) ?? 0;
    return { x: x + up.x * part, y: y + up.y * part };
  });
}

/** Reach of the hair line to both sides of the outline, in face widths: where hair meets the forehead is not in the mesh. */
const HAIRLINE_REACH = 0.07;
/** Height above the brows between which it begins, as a share of the way from the brows to the mesh's top. */
const HAIRLINE_START = { from: 0, to: 0.6 } as const;

/** Where the forehead ends, 0..1 with soft edges. `points` and `faceWidth` in grid pixels. */
export function drawHairline(points: Float32Array, faceWidth: number, width: number, height: number): Float32Array {
  const brow = pointOf(points, BROW_MIDDLE);
  const top = pointOf(points, FOREHEAD);
  const up = { x: top.x - brow.x, y: top.y - brow.y };
  const length = Math.max(1, up.x ** 2 + up.y ** 2);
  const outline = fillPolygons([outlineOf(points)], width, height);
  return boxBlur(outline, { width, height }, faceWidth * HAIRLINE_REACH).map((inside, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const rise = ((x - brow.x) * up.x + (y - brow.y) * up.y) / length;
    return 4 * inside * (1 - inside) * ramp(rise, HAIRLINE_START.from, HAIRLINE_START.to);
  });
}

/** Per pixel row; coverage along a scanline is exact. */
const CUTS = 4;

/** Share of every pixel inside the polygons, 0..1. */
export function fillPolygons(polygons: readonly (readonly Point[])[], width: number, height: number): Float32Array {
  const data = new Float32Array(width * height);
  for (const polygon of polygons) {
    const heights = polygon.map(({ y }) => y);
    const first = Math.max(0, Math.floor(Math.min(...heights)));
    const last = Math.min(height - 1, Math.ceil(Math.max(...heights)));
    for (let row = first; row <= last; row++) {
      for (let cut = 0; cut < CUTS; cut++) {
        const crossings = crossingsAt(polygon, row + (cut + 0.5) / CUTS);
        for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
          addSpan(data, row * width, width, crossings[pair] ?? 0, crossings[pair + 1] ?? 0);
        }
      }
    }
  }
  return data.map((share) => Math.min(1, share));
}

function crossingsAt(polygon: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  let from = polygon.at(-1);
  for (const to of polygon) {
    if (from && from.y <= y !== to.y <= y) crossings.push(from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x));
    from = to;
  }
  return crossings.sort((a, b) => a - b);
}

function addSpan(data: Float32Array, row: number, width: number, from: number, to: number): void {
  const start = Math.max(0, from);
  const end = Math.min(width, to);
  if (end <= start) return;
  const first = Math.floor(start);
  const last = Math.ceil(end) - 1;
  data[row + first] = (data[row + first] ?? 0) + (Math.min(end, first + 1) - start) / CUTS;
  for (let at = row + first + 1; at < row + last; at++) data[at] = (data[at] ?? 0) + 1 / CUTS;
  if (last > first) data[row + last] = (data[row + last] ?? 0) + (end - last) / CUTS;
}
