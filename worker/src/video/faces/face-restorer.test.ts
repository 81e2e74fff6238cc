import { afterEach, describe, expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { type Session, Sessions } from '../../networks/sessions.js';
import { createRaster, crop } from '../../rasters/raster.js';
import { frameOf, placed } from '../../test/frames.js';
import { degrade, portrait } from '../../test/quality.js';
import type { Frame } from '../frames/frame.js';
import { lumaOf } from '../frames/frame.js';
import { FaceRestorer } from './face-restorer.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const small = await sessions.get('restore-small-face');
/** More than between two checks of a face. */
const FRAMES = 30;
/** About 37 real pixels across the face, so that it goes through the network for small faces. */
const face = await degrade(await portrait(), { blur: 1.8, reduction: 4 });
const frame = frameOf(face);
const empty = frameOf(createRaster(face.width, face.height));

afterEach(() => vi.restoreAllMocks());

type Planes = Parameters<Session['run']>;
/** The inverse of the face, so strong that a small share of it is visible. */
const another = async ([planes]: Planes): Promise<Float32Array[]> => [planes.map((value) => 0.5 + 6 * (0.5 - value))];
const same = async ([planes]: Planes): Promise<Float32Array[]> => [Float32Array.from(planes)];

function restoreSmallBy(network: (input: Planes, run: number) => Promise<Float32Array[]>) {
  let runs = 0;
  return vi.spyOn(small, 'run').mockImplementation((...input) => network(input, runs++));
}

const restorer = (): Promise<FaceRestorer> => FaceRestorer.create(sessions, false, 1);

async function restored(faces: FaceRestorer, original: Frame): Promise<Frame> {
  const data = new Uint8Array(original.data);
  await faces.restore(original, data);
  return { ...original, data };
}

const change = (before: Frame, after: Frame): number => {
  const [a, b] = [lumaOf(before), lumaOf(after)];
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0);
};

describe('faces of a video', () => {
  it('are restored', async () => {
    const faces = await restorer();
    expect(change(frame, await restored(faces, frame))).toBeGreaterThan(0);
    expect([faces.people.count, faces.restored]).toEqual([1, 1]);
  });

  it('stay as they are when the networks show another person, however little of it is blended in', async () => {
    const network = restoreSmallBy(another);
    const faces = await restorer();
    for (let at = 0; at < 3; at++) expect(change(frame, await restored(faces, frame))).toBe(0);
    expect([faces.people.count, faces.restored]).toEqual([1, 0]);
    expect(network).toHaveBeenCalledTimes(1);
  });

  it('are compared again while they are followed', async () => {
    restoreSmallBy((input, run) => (run === 0 ? same(input) : another(input)));
    const faces = await restorer();
    expect(change(frame, await restored(faces, frame))).toBeGreaterThan(0);
    let last = frame;
    for (let at = 0; at < FRAMES; at++) last = await restored(faces, frame);
    expect(change(frame, last)).toBe(0);
  });

  it('count once when they are lost and found again', async () => {
    const faces = await restorer();
    const moved = frameOf(placed(crop(face, { x: 0, y: 0, width: 240, height: 300 }), face.width, face.height, 60, 0));
    for (const each of [frame, empty, moved, empty, frame]) await restored(faces, each);
    expect([faces.people.count, faces.restored]).toEqual([1, 1]);
  });

  it("go through an operator's network in its size and range", async () => {
    const side = 160;
    const shape = [1, 3, side, side];
    const { entry } = small;
    const own = {
      ...entry,
      input: { ...entry.input, shape, range: [-1, 1] },
      outputs: [{ ...entry.outputs[0], shape, range: [-1, 1] }],
    };
    const network = vi.fn((planes: Float32Array) => Promise.resolve([Float32Array.from(planes)]));
    const get = sessions.get.bind(sessions);
    vi.spyOn(sessions, 'get').mockImplementation((role) =>
      role === 'restore-small-face' ? Promise.resolve({ entry: own, run: network } as unknown as Session) : get(role),
    );
    const other = await restored(await restorer(), frame);
    const [planes, size] = network.mock.calls[0] as unknown as Planes;
    expect(size).toEqual(shape);
    expect(planes).toHaveLength(3 * side * side);
    expect(Math.min(...planes)).toBeLessThan(-0.5);
    vi.mocked(sessions.get).mockRestore();
    restoreSmallBy(same);
    // Both networks change nothing: a range that was not undone would.
    expect(change(frame, other)).toBeLessThan(2 * change(frame, await restored(await restorer(), frame)));
  });
});
