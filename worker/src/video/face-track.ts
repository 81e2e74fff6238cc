import { fitSimilarity, type Similarity } from '../networks/face-alignment.js';
import type { Alignment, Point } from '../networks/manifest.js';
import type { Box } from '../rasters/raster.js';

/** Weight of a still face's new position; it rises with motion, in face widths per frame. */
const STILL = 0.3;
const PER_MOTION = 20;
/**
 * Weight of a new residual where the face does not change; it rises with the change in levels. With .3 and 26 the steps
 * of faces in a compressed clip were 1.14 of the source's, with .08 and 50 1.11.
 */
const UNCHANGED = 0.04;
const CHANGED = 50;

/** Results of the networks between two comparisons of a face with the original: about a second. */
const CHECKED_EVERY = 24;

export class FaceTrack {
  /** Frames since the face was last seen. */
  lost = 0;
  /** See {@link People}; null before the first check. */
  person: number | null = null;
  /** How a network restores it; chosen once, so that the face does not change its look. */
  treatment: Treatment | null = null;
  /** Luma that restoration adds, aligned; smoothed over frames. */
  residual: Float32Array | null = null;
  /** Eyes, nose tip, corners of the mouth, in pixels of the frame. */
  private points: readonly Point[] | null = null;
  private luma: Float32Array | null = null;
  private updates = 0;
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(public box: Box) {}

  /** Moves the face to where it was found, without the jitter of the mesh. */
  moveTo(box: Box, found: readonly Point[]): void {
    const size = Math.max(box.width, box.height);
    this.points = found.map((point, at): Point => {
      const known = this.points?.[at];
      if (!known) return point;
      const motion = Math.hypot(point[0] - known[0], point[1] - known[1]) / size;
      const weight = Math.min(1, STILL + PER_MOTION * motion);
      return [known[0] + (point[0] - known[0]) * weight, known[1] + (point[1] - known[1]) * weight];
    });
    this.box = box;
    this.lost = 0;
  }

  get places(): readonly Point[] {
    return this.points ?? [];
  }

  /** True at the first result and every {@link CHECKED_EVERY} ones: faces turn. */
  isDue(): boolean {
    if (this.updates - this.checkedAt < CHECKED_EVERY) return false;
    this.checkedAt = this.updates;
    return true;
  }

  /** From the frame to the aligned square; null before the face was found. */
  alignment(template: Alignment, side: number): Similarity | null {
    const places = template.map(([x, y]): Point => [x * side, y * side]);
    return this.points && fitSimilarity(this.points, places);
  }

  /** Smooths a new residual where the face stayed the same, and takes it where it moved, as in a blink. */
  update(residual: Float32Array, luma: Float32Array): void {
    const [known, before] = [this.residual, this.luma];
    this.updates++;
    this.luma = luma;
    if (!known || !before || known.length !== residual.length) {
      this.residual = residual;
      return;
    }
    for (let at = 0; at < known.length; at++) {
      const change = Math.abs((luma[at] as number) - (before[at] as number));
      const weight = Math.min(1, UNCHANGED + change / CHANGED);
      const own = known[at] as number;
      known[at] = own + ((residual[at] as number) - own) * weight;
    }
  }
}

export interface Treatment {
  readonly side: number;
  /** Aligned pixels per pixel of detail. */
  readonly softness: number;
  readonly small: number;
  readonly detail: number;
  /** Share of the whole, lowered while the result shows another person. */
  strength: number;
}
