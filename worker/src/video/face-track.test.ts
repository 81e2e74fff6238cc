import { expect, it } from 'vitest';
import type { Alignment, Point } from '../networks/manifest.js';
import { FaceTrack } from './face-track.js';

const box = { x: 100, y: 100, width: 80, height: 100 };
const FACE: Alignment = [
  [125, 140],
  [155, 140],
  [140, 160],
  [130, 175],
  [150, 175],
];
const moved = (by: number): Point[] => FACE.map(([x, y]): Point => [x + by, y]);
const shiftOf = (track: FaceTrack): number => {
  // In a template of the face itself the alignment is the identity, but for the shift.
  const alignment = track.alignment(FACE, 1);
  return -(alignment?.shift[0] ?? Number.NaN);
};

function followed(...shifts: number[]): FaceTrack {
  const track = new FaceTrack(box);
  for (const shift of shifts) track.moveTo(box, moved(shift));
  return track;
}

it('smooths the jitter of a still face and follows one that moves', () => {
  expect(shiftOf(followed(0))).toBeCloseTo(0, 3);
  const jitter = shiftOf(followed(0, 0.5));
  expect(jitter).toBeGreaterThan(0.1);
  expect(jitter).toBeLessThan(0.35);
  expect(shiftOf(followed(0, 20))).toBeCloseTo(20, 1);
});

it('smooths what restoration adds where the face stays the same, and takes it where it changes', () => {
  const track = new FaceTrack(box);
  track.update(Float32Array.of(10, 10), Float32Array.of(100, 100));
  track.update(Float32Array.of(20, 20), Float32Array.of(100, 160));
  const [same = 0, changed] = track.residual ?? [];
  expect(same).toBeGreaterThan(10);
  expect(same).toBeLessThan(11);
  expect(changed).toBe(20);
});
