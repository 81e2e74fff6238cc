import { expect, it } from 'vitest';
import { Sessions } from '../networks/sessions.js';
import { type Frame, frameBytes, lumaOf } from './frame.js';
import { FrameRestorer } from './frame-restorer.js';

const session = await (await Sessions.open({})).get('restore-frame');

/** Waves with steps, as compression leaves them. */
function stepped(width: number, height: number): Frame {
  const data = new Uint8Array(frameBytes(width, height)).fill(128);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    data[at] = 12 * Math.round((120 + 60 * Math.sin(x / 9) * Math.cos(y / 13)) / 12);
  }
  return { width, height, data, time: 0 };
}

it('shows no seam where a frame is cut into bands', async () => {
  const [width, height] = [64, 700];
  const frame = stepped(width, height);
  const restored = lumaOf(await new FrameRestorer(session, 1).clean(frame));
  const [whole] = await session.run(
    Float32Array.from(lumaOf(frame), (level) => level / 255),
    [1, 1, height, width],
  );
  // Sums of another order may round otherwise.
  for (const [at, level] of restored.entries()) expect(Math.abs(level - 255 * (whole[at] ?? 0))).toBeLessThan(1);
});

it('changes luma alone, in proportion to its strength', async () => {
  const frame = stepped(96, 64);
  const seen = lumaOf(frame);
  const changeAt = async (strength: number) => {
    const { data } = await new FrameRestorer(session, strength).clean(frame);
    expect(data.subarray(seen.length)).toEqual(frame.data.subarray(seen.length));
    return seen.reduce((sum, level, at) => sum + Math.abs((data[at] ?? 0) - level), 0);
  };
  const [none, half, full] = await Promise.all([0, 0.5, 1].map(changeAt));
  expect(none).toBe(0);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(full ?? 0);
});
