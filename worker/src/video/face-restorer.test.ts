import { afterEach, describe, expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../networks/manifest.js';
import { type Session, Sessions } from '../networks/sessions.js';
import { createRaster, crop, type Raster } from '../rasters/raster.js';
import { degrade, portrait } from '../test/quality.js';
import { FaceRestorer } from './face-restorer.js';
import { type Frame, frameBytes, lumaOf } from './frame.js';

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
const another = async ([planes]: Planes): ReturnType<Session['run']> => [
  planes.map((value) => 0.5 + 6 * (0.5 - value)),
];
const same = async ([planes]: Planes): ReturnType<Session['run']> => [Float32Array.from(planes)];

function restoreSmallBy(network: (input: Planes, run: number) => ReturnType<Session['run']>) {
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

/** A frame of a picture with even sides, in BT.601. */
function frameOf({ width, height, data }: Raster, time = 0): Frame {
  const bytes = new Uint8ClampedArray(frameBytes(width, height));
  const blueAt = width * height;
  const redAt = blueAt + blueAt / 4;
  const at = (x: number, y: number, channel: number) => data[(y * width + x) * 3 + channel] ?? 0;
  const lumaAt = (x: number, y: number) => 0.299 * at(x, y, 0) + 0.587 * at(x, y, 1) + 0.114 * at(x, y, 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = lumaAt(x, y);
      bytes[y * width + x] = 16 + (light * 219) / 255;
      if (x % 2 === 1 || y % 2 === 1) continue;
      const color = (y / 2) * (width / 2) + x / 2;
      bytes[blueAt + color] = 128 + ((at(x, y, 2) - light) / 1.772 / 255) * 224;
      bytes[redAt + color] = 128 + ((at(x, y, 0) - light) / 1.402 / 255) * 224;
    }
  }
  return { width, height, data: new Uint8Array(bytes.buffer), time };
}

function placed(picture: Raster, width: number, height: number, left: number, top: number): Raster {
  const out = createRaster(width, height);
  out.data.fill(128);
  for (let y = 0; y < picture.height; y++) {
    const row = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3);
    out.data.set(row, ((top + y) * width + left) * 3);
  }
  return out;
}

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
