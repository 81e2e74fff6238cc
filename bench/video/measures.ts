import { fivePoints, meshFace } from '../../worker/dist/networks/face-alignment.js';
import {
  cosine,
  cropForRecognition,
  embedFace,
  type FaceEmbedding,
} from '../../worker/dist/networks/face-recognition.js';
import { modelsFolder, type Point, readManifest } from '../../worker/dist/networks/manifest.js';
import { Sessions } from '../../worker/dist/networks/sessions.js';
import { clampBox, crop } from '../../worker/dist/rasters/raster.js';
import { FaceTracker } from '../../worker/dist/video/face-tracker.js';
import { type Frame, lumaOf, toRaster } from '../../worker/dist/video/frame.js';
import { FrameReader } from '../../worker/dist/video/frame-reader.js';
import type { VideoTools } from '../../worker/dist/video/locate.js';
import { isSceneCut } from '../../worker/dist/video/scene-cuts.js';

export interface Reading {
  readonly tools: VideoTools;
  readonly folder: string;
  readonly width: number;
  readonly height: number;
}

const BLOCK = 8;
/** Change of the truth between two frames, in levels, below which a pixel counts as still. */
const STILL = 1.5;
/** SSIM's constants for 8 bits. */
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

export interface VideoMeasures {
  readonly psnr: number;
  readonly ssim: number;
  /** Mean change of a pixel from a frame to the next one, in levels, where the truth stays. */
  readonly flicker: number;
  /** The same of the error, everywhere: what moves otherwise than the truth does. */
  readonly unsteadiness: number;
  /** Variance of the Laplacian. */
  readonly sharpness: number;
}

export async function compareVideos(reading: Reading, truth: string, path: string): Promise<VideoMeasures> {
  const { width, height } = reading;
  const [truths, frames] = [open(reading, truth), open(reading, path)];
  let [count, squares, similarity, sharpness, change, still, unsteady] = [0, 0, 0, 0, 0, 0, 0];
  let before: { readonly wanted: Uint8Array; readonly own: Uint8Array } | null = null;
  for (;;) {
    const [expected, actual] = await Promise.all([truths.next(), frames.next()]);
    if (!expected || !actual) break;
    const [wanted, own] = [lumaOf(expected), lumaOf(actual)];
    count++;
    similarity += ssim(wanted, own, width, height);
    sharpness += laplacianVariance(own, width, height);
    for (let at = 0; at < own.length; at++) {
      const wrong = (own[at] as number) - (wanted[at] as number);
      squares += wrong ** 2;
      if (!before) continue;
      const moved = (own[at] as number) - (before.own[at] as number);
      const expectedMove = (wanted[at] as number) - (before.wanted[at] as number);
      unsteady += Math.abs(moved - expectedMove);
      if (Math.abs(expectedMove) > STILL) continue;
      change += Math.abs(moved);
      still++;
    }
    before = { wanted, own };
  }
  truths.close();
  frames.close();
  const pixels = width * height;
  const psnr = 10 * Math.log10(255 ** 2 / (squares / (count * pixels)));
  return {
    psnr,
    ssim: similarity / count,
    flicker: change / Math.max(1, still),
    unsteadiness: unsteady / ((count - 1) * pixels),
    sharpness: sharpness / count,
  };
}

function laplacianVariance(luma: Uint8Array, width: number, height: number): number {
  let [sum, squares] = [0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1, end = at + width - 2; at < end; at++) {
      const around =
        (luma[at - 1] as number) +
        (luma[at + 1] as number) +
        (luma[at - width] as number) +
        (luma[at + width] as number);
      const value = around - 4 * (luma[at] as number);
      sum += value;
      squares += value * value;
    }
  }
  const pixels = (width - 2) * (height - 2);
  return squares / pixels - (sum / pixels) ** 2;
}

function ssim(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  let [sum, blocks] = [0, 0];
  const area = BLOCK * BLOCK;
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + BLOCK; y++) {
        for (let at = y * width + left, end = at + BLOCK; at < end; at++) {
          const [u, v] = [a[at] as number, b[at] as number];
          sa += u;
          sb += v;
          saa += u * u;
          sbb += v * v;
          sab += u * v;
        }
      }
      const [ma, mb] = [sa / area, sb / area];
      const [va, vb, cov] = [saa / area - ma * ma, sbb / area - mb * mb, sab / area - ma * mb];
      sum += ((2 * ma * mb + C1) * (2 * cov + C2)) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
      blocks++;
    }
  }
  return sum / Math.max(1, blocks);
}

/** Mean over the faces that are found in the source; NaN without a face. */
export async function measureFaceSteps(reading: Reading, source: string, path: string): Promise<number> {
  const sessions = new Sessions(await readManifest(modelsFolder()));
  const [recognition, mesh] = [await sessions.get('recognize-face'), await sessions.get('face-mesh')];
  const tracker = new FaceTracker(sessions, false);
  const [sources, frames] = [open(reading, source), open(reading, path)];
  const known = new Map<object, FaceEmbedding>();
  let [sum, count] = [0, 0];
  let before: Frame | null = null;
  for (;;) {
    const [frame, shown] = await Promise.all([sources.next(), frames.next()]);
    if (!frame || !shown) break;
    if (before && isSceneCut(before, frame)) known.clear();
    before = frame;
    await tracker.follow(frame);
    const raster = toRaster(shown, false);
    for (const track of tracker.tracks) {
      const { box } = track;
      const side = Math.max(box.width, box.height) * 1.5;
      const around = {
        x: box.x + (box.width - side) / 2,
        y: box.y + (box.height - side) / 2,
        width: side,
        height: side,
      };
      const square = clampBox(around, raster.width, raster.height);
      const face = crop(raster, square);
      const { points } = await meshFace(mesh, face);
      const placed = fivePoints(points).map(([x, y]): Point => [x * face.width, y * face.height]);
      const cropped = await cropForRecognition(recognition, face, placed);
      const embedding = await embedFace(recognition, cropped, cropped.faceWidth);
      const earlier = known.get(track);
      if (earlier) {
        sum += 1 - cosine(earlier, embedding);
        count++;
      }
      known.set(track, embedding);
    }
  }
  sources.close();
  frames.close();
  return sum / count;
}

function open({ tools, folder, width, height }: Reading, path: string): FrameReader {
  const options = { path, streamIndex: 0, width, height, filters: [`scale=${width}:${height}`, 'format=yuv420p'] };
  return new FrameReader(tools, options, { folder, signal: new AbortController().signal, timeoutMs: 3_600_000 });
}
