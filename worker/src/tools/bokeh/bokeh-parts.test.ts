import { describe, expect, it } from 'vitest';
import { floatsAt, heap, reserve, withKernels } from '../../rasters/kernels.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import type { Plane } from '../../rasters/row-sampler.js';
import { composeBokeh, lensOf, nearbyColors } from './bokeh.js';
import { blurLight, discSum as discSumAt, type Lens } from './lens.js';
import { refineMatte, showsPerson } from './matte.js';

type Color = readonly [number, number, number];

function painted(width: number, height: number, color: (x: number, y: number) => Color): Raster {
  const raster = createRaster(width, height);
  for (let at = 0; at < width * height; at++) raster.data.set(color(at % width, Math.floor(at / width)), at * 3);
  return raster;
}

function planeOf(width: number, height: number, value: (x: number, y: number) => number): Plane {
  const data = Float32Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width)));
  return { width, height, data };
}

const atOnce = () => Promise.resolve();

async function through(picture: Raster, opacity: Plane, lens: Partial<Lens>): Promise<Raster> {
  const whole = { radius: 12, highlights: 0, vivid: 0, ...lens };
  const result = { ...picture, data: Uint8Array.from(picture.data) };
  const background = blurLight(picture, opacity, whole);
  const layers = { background, near: nearbyColors(picture, opacity), lens: whole };
  await composeBokeh(result, opacity, layers, atOnce);
  return result;
}

const at = ({ width, data }: Raster, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];
const worst = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((most, value, index) => Math.max(most, Math.abs(value - (other[index] ?? 0))), 0);

const SIDE = 240;
const NO_PEOPLE = planeOf(SIDE, SIDE, () => 0);
const distanceFromMiddle = (x: number, y: number) => Math.hypot(x - SIDE / 2, y - SIDE / 2);
const person = (radius: number) =>
  planeOf(SIDE, SIDE, (x, y) => Math.max(0, Math.min(1, radius - distanceFromMiddle(x, y))));

describe('a lens on even colors', () => {
  it.each([0, 20, 128, 200, 255])('leaves gray %d unchanged', async (level) => {
    const gray = painted(SIDE, SIDE, () => [level, level, level]);
    for (const opacity of [NO_PEOPLE, person(70)]) {
      const result = await through(gray, opacity, { highlights: 1, vivid: 1 });
      expect(worst(result.data, gray.data)).toBeLessThanOrEqual(1);
    }
  });

  const PAIRS: [Color, Color][] = [
    [
      [250, 250, 250],
      [10, 10, 10],
    ],
    [
      [10, 10, 10],
      [250, 250, 250],
    ],
    [
      [220, 30, 30],
      [30, 60, 200],
    ],
  ];
  it.each(PAIRS)(
    'draws no ring around a person %j in front of %j, even where the matte is two pixels off',
    async (own, behind) => {
      const picture = painted(SIDE, SIDE, (x, y) => (distanceFromMiddle(x, y) < 70 ? own : behind));
      for (const radius of [68, 70, 72]) {
        const result = await through(picture, person(radius), {});
        for (let x = SIDE / 2; x < SIDE; x++) {
          const distance = distanceFromMiddle(x, SIDE / 2);
          if (distance > 66 && distance < 75) continue;
          expect(worst(at(result, x, SIDE / 2), distance < 70 ? own : behind)).toBeLessThanOrEqual(2);
        }
      }
    },
  );
});

describe('a lens on points of light', () => {
  const lights = (side: number) =>
    painted(side, side, (x, y) => (Math.hypot(x - side / 2, y - side / 2) < side / 100 ? [255, 240, 200] : [8, 8, 12]));
  /** Radius of the light, relative to the picture. */
  async function reach(side: number): Promise<number> {
    const lens = lensOf({ aperture: 0.8, highlights: 0.6, vivid: 0 }, { width: side, height: side });
    const result = await through(
      lights(side),
      planeOf(side, side, () => 0),
      lens,
    );
    let across = 0;
    for (let x = 0; x < side; x++) if ((at(result, x, side / 2)[1] ?? 0) > 20) across++;
    return across / side;
  }

  it('makes discs in proportion to the size of the picture', async () => {
    const small = await reach(400);
    expect(small).toBeGreaterThan(0.05);
    expect(Math.abs((await reach(1600)) / small - 1)).toBeLessThan(0.1);
  });

  it('brightens points of light, but not evenly bright areas', async () => {
    const shine = async (highlights: number) =>
      at(await through(lights(SIDE), NO_PEOPLE, { highlights }), SIDE / 2, SIDE / 2)[0] ?? 0;
    const [none, half, full] = [await shine(0), await shine(0.5), await shine(1)];
    expect(half).toBeGreaterThan(none + 20);
    expect(full).toBeGreaterThan(half + 10);
    const sky = painted(SIDE, SIDE, (_, y) => (y < SIDE / 2 ? [225, 238, 250] : [60, 90, 50]));
    expect(worst(at(await through(sky, NO_PEOPLE, { highlights: 1 }), 100, 40), [225, 238, 250])).toBeLessThanOrEqual(
      1,
    );
  });

  it('makes colors more vivid and keeps grays gray', async () => {
    const dull = painted(SIDE, SIDE, () => [120, 140, 110]);
    const [red = 0, green = 0, blue = 0] = at(await through(dull, NO_PEOPLE, { vivid: 1 }), 50, 50);
    expect(green - red).toBeGreaterThan(22);
    expect(green - blue).toBeGreaterThan(33);
  });

  it('mixes light, not codes: black and white lines become the gray that reflects half', async () => {
    const lines = painted(SIDE, SIDE, (x) => (x % 2 === 0 ? [255, 255, 255] : [0, 0, 0]));
    const [level = 0] = at(await through(lines, NO_PEOPLE, {}), 120, 120);
    expect(Math.abs(level - 188)).toBeLessThanOrEqual(2);
  });
});

describe('the matte', () => {
  it('follows the edge in the picture where the mask is imprecise', async () => {
    const picture = painted(SIDE, SIDE, (x, y) => (distanceFromMiddle(x, y) < 70 ? [60, 40, 30] : [150, 190, 220]));
    const rough = planeOf(120, 120, (x, y) => Math.max(0, Math.min(1, (73 - distanceFromMiddle(x * 2, y * 2)) / 6)));
    const { data } = await refineMatte(rough, picture, atOnce);
    const opacity = (distance: number) => data[(SIDE / 2) * SIDE + SIDE / 2 + distance] ?? 0;
    expect(opacity(0)).toBe(1);
    expect(opacity(67)).toBeGreaterThan(0.95);
    expect(opacity(74)).toBeLessThan(0.05);
    expect(opacity(110)).toBe(0);
  });

  it('needs a face, or a large body detected with certainty', () => {
    const body = (value: number) => planeOf(40, 40, (x) => (x < 12 ? value : 0.02));
    const face = { box: { x: 3, y: 3, width: 9, height: 9 }, confidence: 0.9 };
    expect(showsPerson(body(0.97), [])).toBe(true);
    expect(showsPerson(body(0.7), [])).toBe(false);
    expect(showsPerson(body(0.7), [face])).toBe(true);
    expect(
      showsPerson(
        planeOf(40, 40, () => 0),
        [],
      ),
    ).toBe(false);
  });
});

const discSum = (source: Float32Array, width: number, height: number, radius: number): Float32Array =>
  withKernels(() => {
    const plane = reserve(source.byteLength);
    heap.floats.set(source, plane >> 2);
    discSumAt(plane, width, height, radius);
    return floatsAt(plane, source.length).slice();
  });
const noise = (size: number) => Float32Array.from({ length: size }, (_, index) => ((index * 7919) % 101) / 100);
const total = (plane: Float32Array) => plane.reduce((sum, value) => sum + value, 0);

function disc(radius: number): { plane: Float32Array; side: number } {
  const side = 2 * Math.ceil(radius) + 5;
  const point = new Float32Array(side * side);
  point[(side * side - 1) / 2] = 1;
  return { plane: discSum(point, side, side, radius), side };
}

describe('discSum', () => {
  it.each([0.5, 1, 2.5, 7, 9.3])('turns a point into an even, round disc (radius %d)', (radius) => {
    const { plane, side } = disc(radius);
    const middle = (side - 1) / 2;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const value = plane[y * side + x] ?? 0;
        const distance = Math.hypot(x - middle, y - middle);
        if (distance < radius - 1) expect(value).toBeCloseTo(1, 5);
        if (distance > radius + 1.5) expect(value).toBeCloseTo(0, 5);
        expect(value).toBeCloseTo(plane[y * side + (side - 1 - x)] ?? 0, 5);
        expect(value).toBeCloseTo(plane[(side - 1 - y) * side + x] ?? 0, 5);
      }
    }
    const area = Math.PI * radius ** 2;
    expect(total(plane) / area).toBeGreaterThan(0.9);
    expect(total(plane) / area).toBeLessThan(1.3);
  });

  it('sums up what every disc covers, with zero outside the picture', () => {
    const [width, height, radius] = [23, 17, 4];
    const source = noise(width * height);
    const { plane: kernel, side } = disc(radius);
    const half = (side - 1) / 2;
    const result = discSum(source, width, height, radius);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0;
        for (let v = Math.max(0, y - half); v <= Math.min(height - 1, y + half); v++) {
          for (let u = Math.max(0, x - half); u <= Math.min(width - 1, x + half); u++) {
            sum += (source[v * width + u] ?? 0) * (kernel[(v - y + half) * side + u - x + half] ?? 0);
          }
        }
        expect(result[y * width + x]).toBeCloseTo(sum, 3);
      }
    }
  });

  it('accepts pictures smaller than the disc', () => {
    expect(discSum(Float32Array.of(0.5), 1, 1, 6)[0]).toBeCloseTo(0.5);
    expect(total(discSum(noise(3), 3, 1, 10))).toBeCloseTo(3 * total(noise(3)), 4);
  });
});
