import type { DetectedFace } from '../../networks/face-detector.js';
import { boxMean } from '../../rasters/filters.js';
import { fitGuidedModel, type Guide } from '../../rasters/guided-filter.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { smoothstep, stepOf } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { interleaved, type Plane, RowSampler, resizePlane } from '../../rasters/row-sampler.js';

/** Rows between progress and cancellation checks. */
export const ROWS_AT_ONCE = 128;
export const MATTE_SIDE = 768;
/** Longest side for the matte's model, which varies slowly: at twice the side, results differ by .02 levels in the mean. */
const MODEL_SIDE = 384;
/** Window of the guided filter, relative to the longest side: the reach of loose hair. */
const WINDOW = 0.011;
/** Color differences below about 1/50 don't count as an edge. */
const EPSILON = 4e-4;
/** Stretched to 0..1: a guided filter leaves a veil on both sides of an edge. */
const VEIL = { from: 0.12, to: 0.88 } as const;
/** Mean probability from which a whole window is background, or a person. */
const CERTAIN_BACKGROUND = { from: 0.03, to: 0.1 } as const;
const CERTAIN_PERSON = { from: 0.9, to: 0.97 } as const;
/** Uncertain areas count as person: a blurred sleeve looks worse than a sharp chair. */
const CERTAINTY_RANGE = { from: 0.2, to: 0.75 } as const;
/** Half axes of the never blurred ellipse, in face boxes. */
const FACE_ELLIPSE = { across: 0.52, down: 0.66 } as const;
/** Minimum share of certain person without a face. */
const MIN_AREA = 0.03;
const MIN_CERTAINTY = 0.85;

/** A face is sufficient; without one, a large area must be certain. */
export function showsPerson(mask: Plane, faces: readonly DetectedFace[]): boolean {
  if (faces.length > 0) return true;
  let sure = 0;
  let candidates = 0;
  let sum = 0;
  for (const value of mask.data) {
    if (value > 0.9) sure++;
    if (value < 0.3) continue;
    candidates++;
    sum += value;
  }
  return sure >= mask.data.length * MIN_AREA && sum >= candidates * MIN_CERTAINTY;
}

export function markFaces(mask: Plane, faces: readonly DetectedFace[], pictureWidth: number): void {
  const scale = mask.width / pictureWidth;
  for (const { box } of faces) {
    const centerX = (box.x + box.width / 2) * scale;
    const centerY = (box.y + box.height / 2) * scale;
    const across = Math.max(1, box.width * scale * FACE_ELLIPSE.across);
    const down = Math.max(1, box.height * scale * FACE_ELLIPSE.down);
    const bottom = Math.min(mask.height - 1, Math.ceil(centerY + down));
    const right = Math.min(mask.width - 1, Math.ceil(centerX + across));
    for (let y = Math.max(0, Math.floor(centerY - down)); y <= bottom; y++) {
      for (let x = Math.max(0, Math.floor(centerX - across)); x <= right; x++) {
        const distance = Math.sqrt(((x + 0.5 - centerX) / across) ** 2 + ((y + 0.5 - centerY) / down) ** 2);
        const at = y * mask.width + x;
        mask.data[at] = Math.max(mask.data[at] ?? 0, 1 - smoothstep(0.8, 1, distance));
      }
    }
  }
}

export function resolveUncertainty(mask: Plane): void {
  const { data } = mask;
  for (let at = 0; at < data.length; at++) {
    data[at] = smoothstep(CERTAINTY_RANGE.from, CERTAINTY_RANGE.to, data[at] as number);
  }
}

/** Opacity of people at full resolution, 0..1: the mask aligned to edges and hair. */
export async function refineMatte(
  mask: Plane,
  picture: Raster,
  onRows: (fraction: number) => Promise<void>,
): Promise<Plane> {
  const { width, height } = picture;
  const longest = Math.max(mask.width, mask.height);
  const reduction = Math.max(1, longest / MODEL_SIDE);
  const target = resizePlane(mask, Math.round(mask.width / reduction), Math.round(mask.height / reduction));
  const modelRadius = Math.max(1, Math.round((longest / reduction) * WINDOW));
  const model = fitGuidedModel(await guideOf(picture, target), target, modelRadius, EPSILON);
  const mean = boxMean(mask.data, mask.width, mask.height, Math.max(1, Math.round(longest * WINDOW)));
  const planes = { certain: { ...mask, data: mean }, model: { ...target, data: interleaved(model, 4) } };
  const opacity = { width, height, data: new Float32Array(width * height) };
  for (let y = 0; y < height; y += ROWS_AT_ONCE) {
    await onRows(y / height);
    withKernels(() => fitRows(picture, planes, opacity, { first: y, end: Math.min(height, y + ROWS_AT_ONCE) }));
  }
  return opacity;
}

function fitRows(
  { data, width, height }: Raster,
  planes: { certain: Plane; model: Plane },
  opacity: Plane,
  { first, end }: { first: number; end: number },
): void {
  const certain = new RowSampler(planes.certain, 1, width, height);
  const model = new RowSampler(planes.model, 4, width, height);
  const [pixels, steps, row] = [reserve(3 * width), reserve(STEPS.byteLength), reserve(4 * width)];
  heap.floats.set(STEPS, steps >> 2);
  for (let y = first; y < end; y++) {
    heap.bytes.set(data.subarray(y * width * 3, (y + 1) * width * 3), pixels);
    kernels.matteRow(pixels, certain.line(y), certain.columns, model.line(y), model.columns, steps, row, width);
    opacity.data.set(floatsAt(row, width), y * width);
  }
}

/** In the layout that the kernel reads. */
const STEPS = Float32Array.of(
  ...stepOf(CERTAIN_PERSON),
  ...stepOf(CERTAIN_BACKGROUND),
  ...stepOf(VEIL),
  CERTAIN_BACKGROUND.from,
  CERTAIN_PERSON.to,
);

async function guideOf(picture: Raster, { width, height }: Plane): Promise<Guide> {
  const { data } = await resize(picture, width, height, 'linear');
  const channel = (offset: number): Float32Array => {
    const values = new Float32Array(width * height);
    for (let at = 0, from = offset; at < values.length; at++, from += 3) values[at] = (data[from] as number) / 255;
    return values;
  };
  return [channel(0), channel(1), channel(2)];
}
