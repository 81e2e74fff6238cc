import { describe, expect, test } from 'vitest';
import { correctionOf, formatTimecode, frameAt, timeOfFrame } from './sync';

const timeline = { duration: 10, frameRate: 25 };

describe('frames', () => {
  test.each([
    [0, 0],
    [0.039, 0],
    [0.04, 1],
    [5, 125],
    [9.99, 249],
    [10, 249],
    [-1, 0],
  ])('the frame at %f s is %i', (time, frame) => {
    expect(frameAt(time, timeline)).toBe(frame);
  });

  test('a frame is shown from its middle, at every rate', () => {
    for (const frameRate of [23.976, 24, 25, 29.97, 30, 50, 59.94, 60]) {
      const video = { duration: 7, frameRate };
      const frames = Array.from({ length: Math.round(7 * frameRate) }, (_, frame) => frame);
      expect(frames.map((frame) => frameAt(timeOfFrame(frame, video), video))).toEqual(frames);
    }
    expect(timeOfFrame(400, timeline)).toBeCloseTo(9.98);
    expect(timeOfFrame(-3, timeline)).toBeCloseTo(0.02);
  });
});

describe('the follower', () => {
  test('keeps its rate within a quarter of a frame', () => {
    expect(correctionOf(0.009, 25)).toEqual({ kind: 'rate', rate: 1 });
  });

  test('catches up, or waits, by its rate', () => {
    expect(correctionOf(0.04, 25)).toMatchObject({ rate: 0.9 });
    expect(correctionOf(-0.04, 25)).toMatchObject({ rate: 1.1 });
    expect(correctionOf(0.2, 25)).toMatchObject({ rate: 0.85 });
  });

  test('seeks over a quarter of a second', () => {
    expect(correctionOf(-0.26, 25)).toEqual({ kind: 'seek' });
  });
});

test.each([
  [0, '0:00'],
  [59.9, '0:59'],
  [75.4, '1:15'],
])('%f seconds are %s', (seconds, text) => {
  expect(formatTimecode(seconds)).toBe(text);
});
