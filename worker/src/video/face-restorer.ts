import { alignmentOf } from '../networks/face-alignment.js';
import type { Alignment, Point } from '../networks/manifest.js';
import type { Session, Sessions } from '../networks/sessions.js';
import { boxBlur } from '../rasters/filters.js';
import { ramp } from '../rasters/ramp.js';
import { type Box, clampBox, createRaster, crop, type Raster } from '../rasters/raster.js';
import { IdentityCheck } from '../tools/face/identity.js';
import { MESH_SCALE, squareAround } from '../tools/face/locate-face.js';
import { measureSoftness } from '../tools/restoration/softness.js';
import { type AlignedSample, LEVELS, paintFace, sampleAligned } from './aligned.js';
import type { FaceTrack, Treatment } from './face-track.js';
import { FaceTracker } from './face-tracker.js';
import type { Frame } from './frame.js';
import { toRaster } from './frame.js';
import { People } from './people.js';

/** Least and greatest side of the square for the network for detail. A larger face is restored at this size: detail that a video lacks is coarser. */
const SIDES = { least: 128, most: 256 } as const;
const STEP = 32;
/** Real pixels across a face between which the network for small faces gives way; see `GUIDED` of pictures. */
const SMALL = { from: 32, to: 56, most: 0.8 } as const;
/** Face width in distances between the eyes. */
const FACE_WIDTH = 2.15;
const SOFT = { from: 1.1, to: 1.7 } as const;
const DETAIL = { sharp: 0.2, soft: 0.95 } as const;
/** See `addDetail`: the input decides at coarser scales. */
const EVIDENCE = 0.5;
/** Smaller shares of a face that shows another person are not worth their seams: it stays as it is. */
const MIN_STRENGTH = 0.15;
const LUMA = [0.299, 0.587, 0.114] as const;

export class FaceRestorer {
  readonly people = new People();
  private readonly tracker: FaceTracker;
  private readonly restoredPeople = new Set<number>();
  /** Frames per run of the networks on a face; raised when time runs short. */
  stride = 1;
  private frames = 0;

  private constructor(
    private readonly sessions: Sessions,
    private readonly template: Alignment,
    private readonly smallSide: number,
    private readonly is709: boolean,
    private readonly strength: number,
  ) {
    this.tracker = new FaceTracker(sessions, is709);
  }

  static async create(sessions: Sessions, is709: boolean, strength: number): Promise<FaceRestorer> {
    const { entry } = await sessions.get('restore-small-face');
    return new FaceRestorer(sessions, alignmentOf(entry), Number(entry.input.shape[2]), is709, strength);
  }

  /** People whose faces a network has restored. */
  get restored(): number {
    return this.restoredPeople.size;
  }

  /** Blends the faces of `frame` into the luma of `output`. */
  async restore(frame: Frame, output: Uint8Array): Promise<void> {
    await this.tracker.follow(frame);
    const isRunning = this.frames++ % this.stride === 0;
    for (const track of this.tracker.tracks) {
      // Even at the smallest share it showed another person.
      if (track.treatment?.strength === 0) continue;
      if (isRunning || !track.residual) await this.run(track, frame);
      const { treatment, residual } = track;
      const toFace = treatment && track.alignment(this.template, treatment.side);
      if (!treatment || !toFace || !residual) continue;
      if (track.isDue()) await this.checkIdentity(track, treatment, frame);
      if (treatment.strength === 0) continue;
      if (track.person !== null) this.restoredPeople.add(track.person);
      paintFace(output, frame, toFace, residual, treatment.side, treatment.strength * this.strength);
    }
  }

  private async run(track: FaceTrack, frame: Frame): Promise<void> {
    track.treatment ??= this.chooseTreatment(track, frame);
    const { side } = track.treatment;
    const toFace = track.alignment(this.template, side);
    if (!toFace) return;
    const sample = sampleAligned(frame, toFace, side);
    track.update(await this.residualOf(sample, track.treatment), sample.luma);
  }

  private chooseTreatment(track: FaceTrack, frame: Frame): Treatment {
    const [left, right] = this.template;
    const eyes = right[0] - left[0];
    const scale = this.scaleOf(track);
    const fitting = Math.ceil(1 / scale / STEP) * STEP;
    const side = Math.max(SIDES.least, Math.min(SIDES.most, fitting));
    const toFace = track.alignment(this.template, side);
    const softness = toFace ? softnessOf(sampleAligned(frame, toFace, side)) : 1;
    const realPixels = (FACE_WIDTH * eyes * side) / softness;
    const small = SMALL.most * (1 - ramp(realPixels, SMALL.from, SMALL.to));
    const detail = DETAIL.sharp + (DETAIL.soft - DETAIL.sharp) * ramp(softness, SOFT.from, SOFT.to);
    // The network for small faces has a fixed size.
    if (small > 0) {
      const scaled = (softness * this.smallSide) / side;
      return { side: this.smallSide, softness: scaled, small, detail, strength: 1 };
    }
    return { side, softness, small, detail, strength: 1 };
  }

  /** Squares of the template per pixel. */
  private scaleOf(track: FaceTrack): number {
    const unit = track.alignment(this.template, 1);
    return unit ? Math.hypot(unit.a, unit.b) : 1 / SIDES.least;
  }

  /** Levels of luma that the networks add. */
  private async residualOf({ side, planes }: AlignedSample, treatment: Treatment): Promise<Float32Array> {
    const shape = [1, 3, side, side] as const;
    const own = lumaOfPlanes(planes, side);
    let restored = planes;
    if (treatment.small > 0) {
      const result = await this.restoreSmall(planes, shape);
      restored = planes.map((value, at) => value + ((result[at] as number) - value) * treatment.small);
    }
    const [detailed] = await (await this.sessions.get('restore-detail')).run(restored, shape);
    const guided = lumaOfPlanes(restored, side);
    const added = lumaOfPlanes(detailed, side).map((value, at) => value - (guided[at] as number));
    const shown = boxBlur(added, { width: side, height: side }, EVIDENCE * treatment.softness);
    return own.map((value, at) => {
      const detail = treatment.detail * ((added[at] as number) - (shown[at] as number));
      return LEVELS * ((guided[at] as number) - value + detail);
    });
  }

  /** Planes of 0..1, through the network in its own ranges. */
  private async restoreSmall(planes: Float32Array, shape: Parameters<Session['run']>[1]): Promise<Float32Array> {
    const session = await this.sessions.get('restore-small-face');
    const { input, outputs } = session.entry;
    const [inLow, inHigh] = input.range ?? [0, 1];
    const [outLow, outHigh] = outputs[0]?.range ?? [0, 1];
    const [result] = await session.run(
      planes.map((value) => inLow + value * (inHigh - inLow)),
      shape,
    );
    return result.map((value) => (value - outLow) / (outHigh - outLow));
  }

  /** Halves the share, down to none, while the restored face shows another person. */
  private async checkIdentity(track: FaceTrack, treatment: Treatment, frame: Frame): Promise<void> {
    const toFace = track.alignment(this.template, treatment.side);
    if (!toFace || !track.residual) return;
    const square = clampBox(squareAround(track.box, MESH_SCALE), frame.width, frame.height);
    const before = crop(toRaster(frame, this.is709), square);
    const check = await IdentityCheck.of(this.sessions, before, treatment.softness);
    track.person ??= await this.identify(track, before, square);
    for (; treatment.strength > 0; treatment.strength = halved(treatment.strength)) {
      const data = new Uint8Array(frame.data);
      paintFace(data, frame, toFace, track.residual, treatment.side, treatment.strength * this.strength);
      const comparison = await check.compare(crop(toRaster({ ...frame, data }, this.is709), square));
      if (!comparison || comparison.same) return;
    }
  }

  private async identify(track: FaceTrack, picture: Raster, { x, y }: Box): Promise<number> {
    const points = track.places.map(([left, top]): Point => [left - x, top - y]);
    const others = this.tracker.tracks.flatMap(({ person, lost }) => (lost === 0 && person !== null ? [person] : []));
    return this.people.identify(await this.sessions.get('recognize-face'), picture, points, new Set(others));
  }
}

const halved = (strength: number): number => (strength / 2 < MIN_STRENGTH ? 0 : strength / 2);

function softnessOf({ side, planes }: AlignedSample): number {
  const raster: Raster = createRaster(side, side);
  const area = side * side;
  for (let at = 0; at < area; at++) {
    for (let channel = 0; channel < 3; channel++) {
      raster.data[at * 3 + channel] = (planes[at + channel * area] as number) * 255 + 0.5;
    }
  }
  return measureSoftness(raster, { x: 0, y: 0, width: side, height: side });
}

function lumaOfPlanes(planes: Float32Array, side: number): Float32Array {
  const area = side * side;
  const luma = new Float32Array(area);
  for (let at = 0; at < area; at++) {
    luma[at] =
      LUMA[0] * (planes[at] as number) +
      LUMA[1] * (planes[at + area] as number) +
      LUMA[2] * (planes[at + 2 * area] as number);
  }
  return luma;
}
