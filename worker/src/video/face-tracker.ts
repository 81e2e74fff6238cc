import { fivePoints, meshFace } from '../networks/face-alignment.js';
import { detectFaces, overlapOf, suppressOverlaps } from '../networks/face-detector.js';
import type { Sessions } from '../networks/sessions.js';
import { type Box, clampBox, crop, type Raster, scaleBox } from '../rasters/raster.js';
import { MESH_SCALE, squareAround } from '../tools/face/locate-face.js';
import { FaceTrack } from './face-track.js';
import type { Frame } from './frame.js';
import { toRaster } from './frame.js';
import { isSceneCut } from './scene-cuts.js';

/** Frames between searches for new faces; known ones are followed by the mesh. */
const SEARCH_EVERY = 8;
/** Longest side that is searched: faces of some 30 pixels in 1280. */
const SEARCH_SIDE = 480;
/** Frames this large are searched and followed at half their size. */
const LARGE_SIDE = 900;
const MIN_PRESENCE = 0.5;
/** Frames for which a face may be hidden. */
const MAX_LOST = 4;
const MAX_FACES = 8;
/** Overlap, relative to the smaller box, above which two boxes are the same face. */
const MIN_SAME_FACE_OVERLAP = 0.5;

export class FaceTracker {
  readonly tracks: FaceTrack[] = [];
  private frames = 0;
  private previous: Frame | null = null;

  constructor(
    private readonly sessions: Sessions,
    private readonly is709: boolean,
  ) {}

  async follow(frame: Frame): Promise<void> {
    const halving = Math.max(frame.width, frame.height) >= LARGE_SIDE ? 2 : 1;
    const isCut = this.previous !== null && isSceneCut(this.previous, frame);
    this.previous = frame;
    if (isCut) this.tracks.length = 0;
    const isSearching = isCut || this.frames++ % SEARCH_EVERY === 0;
    if (!isSearching && this.tracks.length === 0) return;
    const raster = toRaster(frame, this.is709, halving);
    for (const track of this.tracks) await this.locate(track, raster, halving);
    this.forget();
    if (isSearching) await this.search(raster, halving);
  }

  private async search(raster: Raster, scale: number): Promise<void> {
    const session = await this.sessions.get('detect-face');
    const found = suppressOverlaps(await detectFaces(session, raster, { maxInputRes: SEARCH_SIDE }));
    for (const { box } of found) {
      const track = new FaceTrack(scaleBox(box, scale));
      if (this.tracks.length >= MAX_FACES || this.tracks.some((other) => isSameFace(other, track))) continue;
      if (!(await this.locate(track, raster, scale))) continue;
      // The mesh moves the box, possibly onto a face that is tracked already.
      if (!this.tracks.some((other) => isSameFace(other, track))) this.tracks.push(track);
    }
  }

  private async locate(track: FaceTrack, raster: Raster, scale: number): Promise<boolean> {
    const around = squareAround(scaleBox(track.box, 1 / scale), MESH_SCALE);
    const square = clampBox(around, raster.width, raster.height);
    const { points, presence } = await meshFace(await this.sessions.get('face-mesh'), crop(raster, square));
    if (presence < MIN_PRESENCE) {
      track.lost++;
      return false;
    }
    const placed = points.map((value, at) =>
      at % 2 === 0 ? (value * square.width + square.x) * scale : (value * square.height + square.y) * scale,
    );
    track.moveTo(boundsOf(placed), fivePoints(placed));
    return true;
  }

  /** Drops faces that left, and the later of two that became one. */
  private forget(): void {
    for (let at = this.tracks.length - 1; at >= 0; at--) {
      const track = this.tracks[at];
      if (!track) continue;
      const isDouble = this.tracks.slice(0, at).some((other) => isSameFace(other, track));
      if (isDouble || track.lost > MAX_LOST) this.tracks.splice(at, 1);
    }
  }
}

const isSameFace = (one: FaceTrack, other: FaceTrack): boolean => overlapOf(one.box, other.box) > MIN_SAME_FACE_OVERLAP;

function boundsOf(points: Float32Array): Box {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let at = 0; at < points.length; at += 2) {
    left = Math.min(left, points[at] as number);
    right = Math.max(right, points[at] as number);
    top = Math.min(top, points[at + 1] as number);
    bottom = Math.max(bottom, points[at + 1] as number);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
