import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { canvasOf, canvasOfFile } from '../image/encode.js';
import { decodeToFile } from '../image/formats/decode.js';
import type { GrayPicture } from '../image/mask.js';
import type { Samples } from '../image/picture.js';
import { withScratch } from '../platform/scratch.js';
import type { Colors } from '../rasters/guided-change.js';
import { probe } from '../test/decoding.js';
import { composeToFile } from './full-size.js';

const WIDTH = 1500;
/** Three strips. */
const HEIGHT = 1600;
const REDUCTION = 4;

type ColorAt = (x: number, y: number) => number;

function picture(width: number, height: number, at: ColorAt, deep = false): Colors & { data: Samples } {
  const data = deep ? new Uint16Array(width * height * 3) : new Uint8ClampedArray(width * height * 3);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let channel = 0; channel < 3; channel++) data[to++] = at(x, y) + channel;
  return { width, height, data: deep ? (data as Uint16Array) : new Uint8Array(data.buffer) };
}

async function reduced({ width, height, data }: Colors, factor = REDUCTION): Promise<Colors & { data: Uint8Array }> {
  const [across, down] = [Math.round(width / factor), Math.round(height / factor)];
  const pixels = await sharp(data, { raw: { width, height, channels: 3 } })
    .toColourspace('srgb')
    .resize(across, down, { fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { width: across, height: down, data: pixels };
}

const changed = (before: Colors, change: ColorAt): Colors => ({
  ...before,
  data: Uint8Array.from(
    new Uint8ClampedArray(
      Array.from(before.data, (value, at) => {
        const pixel = Math.floor(at / 3);
        return value + change(pixel % before.width, Math.floor(pixel / before.width));
      }),
    ),
  ),
});

/** The samples of the result. */
async function compose(
  full: Colors & { data: Samples; alpha?: Samples | null },
  before: Colors,
  after: Colors,
  size: { width: number; height: number } = full,
  mask: GrayPicture | null = null,
): Promise<Samples> {
  const isDeep = full.data instanceof Uint16Array;
  const file = await canvasOf({
    ...full,
    rgb: full.data,
    alpha: full.alpha ?? null,
    metadata: { icc: null, exif: null },
  })
    .image.png({ compressionLevel: 1 })
    .toBuffer();
  const signal = new AbortController().signal;
  return withScratch(async (folder) => {
    const hasAlpha = Boolean(full.alpha);
    const { pixels: original } = await decodeToFile(await probe(file), join(folder, 'original'), {
      maxSide: 5000,
      hasAlpha,
    });
    const { width, height } = size;
    const progress: number[] = [];
    const order = {
      original,
      size: { width, height },
      before,
      after,
      mask,
      signal,
      onProgress: (f: number) => progress.push(f),
    };
    const pixels = await composeToFile(order, folder);
    expect(progress.at(-1)).toBe(1);
    const { data, info } = await canvasOfFile(pixels)
      .image.raw({ depth: isDeep ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([width, height]);
    return isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  });
}

const ripples: ColorAt = (x, y) => 120 + 50 * Math.sin(x / 5) * Math.cos(y / 7) + ((x * 7 + y * 13) % 11);

describe('composeToFile', () => {
  it.each([false, true])('keeps every sample of a picture that nothing changes (16 bits: %s)', async (deep) => {
    const full = picture(WIDTH, HEIGHT, deep ? (x, y) => (x * 37 + y * 91) % 65_000 : ripples, deep);
    const before = await reduced(full);
    const result = await compose(full, before, { ...before, data: Uint8Array.from(before.data) });
    expect(
      Buffer.compare(Buffer.from(result.buffer, result.byteOffset, result.byteLength), Buffer.from(full.data.buffer)),
    ).toBe(0);
  });

  it('keeps every sample where the mask is black, also beside what is changed', async () => {
    const full = picture(WIDTH, HEIGHT, ripples);
    const before = await reduced(full);
    const after = changed(before, () => 25);
    const edge = 301;
    const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % WIDTH < edge ? 0 : 255));
    const result = await compose(full, before, after, full, { width: WIDTH, height: HEIGHT, data });
    const changes = result.map((value, at) => (value === full.data[at] ? 0 : 1));
    const isRight = (at: number) => Math.floor(at / 3) % WIDTH >= edge;
    expect([...changes].filter((change, at) => change === 1 && !isRight(at)).length).toBe(0);
    expect([...changes].filter((change, at) => change === 0 && isRight(at)).length).toBe(0);
  });

  it('changes nothing outside of what was changed', async () => {
    const full = picture(WIDTH, HEIGHT, ripples);
    const before = await reduced(full);
    const isFace = (x: number, y: number) => x >= 100 && x < 180 && y >= 150 && y < 250;
    const result = await compose(
      full,
      before,
      changed(before, (x, y) => (isFace(x, y) ? 25 : 0)),
    );
    const reach = 8;
    let [outside, inside] = [0, 0];
    for (let y = 0, at = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++, at += 3) {
        const difference = (result[at] as number) - (full.data[at] as number);
        const [column, row] = [x / REDUCTION, y / REDUCTION];
        const isNear = column > 100 - reach && column < 180 + reach && row > 150 - reach && row < 250 + reach;
        if (!isNear) outside = Math.max(outside, Math.abs(difference));
        if (isFace(column - 10, row - 10) && isFace(column + 10, row + 10))
          inside = Math.max(inside, Math.abs(difference - 25));
      }
    }
    expect(outside).toBe(0);
    expect(inside).toBeLessThanOrEqual(1);
  });

  it('leaves no halo beside an edge of the larger picture', async () => {
    // The edge lies inside a pixel of the smaller picture.
    const edge = 742;
    const full = picture(WIDTH, 400, (x) => (x < edge ? 40 : 180));
    const before = await reduced(full);
    // Lights become lighter, as a look does; darks stay.
    const result = await compose(full, before, {
      ...before,
      data: Uint8Array.from(before.data, (value) => value + Math.round((Math.max(0, value - 42) / 138) * 40)),
    });
    const row = Array.from({ length: WIDTH }, (_, x) => result[(200 * WIDTH + x) * 3] as number);
    const dark = row.slice(0, edge);
    const light = row.slice(edge);
    // Plain enlargement spreads the change of 40 levels over the edge. The reduction rings by 3.
    expect(Math.max(...dark) - Math.min(...dark)).toBeLessThanOrEqual(4);
    expect(Math.max(...light) - Math.min(...light)).toBeLessThanOrEqual(4);
    expect(dark[0]).toBe(40);
    expect(light.at(-1)).toBe(220);
  });

  it('shows no seams between strips', async () => {
    const full = picture(WIDTH, HEIGHT, (x, y) => 90 + x / 40 + y / 40);
    const before = await reduced(full);
    const result = await compose(
      full,
      before,
      changed(before, (x, y) => 20 + 10 * Math.sin((x + y) / 9)),
    );
    const stride = WIDTH * 3;
    const step = (y: number) => {
      let sum = 0;
      for (let at = y * stride; at < (y + 1) * stride; at++)
        sum += Math.abs((result[at] as number) - (result[at - stride] as number));
      return sum / stride;
    };
    const rows = Math.floor(1_000_000 / WIDTH);
    const borders = [step(rows), step(2 * rows)];
    const within = Array.from({ length: 40 }, (_, n) => Math.max(step(rows - 21 + n), step(2 * rows - 21 + n)));
    expect(Math.max(...borders)).toBeLessThanOrEqual(Math.max(...within.filter((_, n) => n !== 21)));
  });

  it('adds what became clear to a part that is soft, as clear as in the smaller picture', async () => {
    const sharpOne = picture(WIDTH, 400, (x, y) => 120 + 60 * Math.sin(x / 8) * Math.sin(y / 8));
    const soft = picture(WIDTH, 400, () => 120);
    const [before, after] = [await reduced(soft), await reduced(sharpOne)];
    const result = await compose(soft, before, after);
    let sum = 0;
    for (let at = 0; at < result.length; at++) sum += ((result[at] as number) - (sharpOne.data[at] as number)) ** 2;
    expect(Math.sqrt(sum / result.length)).toBeLessThan(4);
  });

  it('takes noise that only the larger picture shows along with that of the smaller', async () => {
    let state = 1;
    const noise = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 2 ** 32 - 0.5) * 100;
    };
    const full = picture(WIDTH, 400, () => 128 + noise());
    const before = await reduced(full);
    const result = await compose(full, before, { ...before, data: new Uint8Array(before.data.length).fill(129) });
    const deviation = (of: Samples) => {
      const samples = Array.from(of);
      const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
      return Math.sqrt(samples.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples.length);
    };
    expect(deviation(result)).toBeLessThan(deviation(full.data) / 4);
  });

  it.each([false, true])('enlarges the original beyond its size (16 bits: %s)', async (deep) => {
    const unit = deep ? 257 : 1;
    const full = picture(600, 400, (x, y) => unit * (100 + x / 10 + y / 10), deep);
    const alpha = deep ? new Uint16Array(600 * 400).fill(40_000) : new Uint8Array(600 * 400).fill(150);
    const before = await reduced(full, 2);
    const size = { width: 1200, height: 800 };
    const result = await compose(
      { ...full, alpha },
      before,
      changed(before, () => 10),
      size,
    );
    const at = (x: number, y: number) => Array.from(result.subarray((y * 1200 + x) * 4, (y * 1200 + x) * 4 + 4));
    for (const [x, y] of [
      [3, 3],
      [600, 400],
      [1190, 790],
    ] as const) {
      const [red = 0, , , opacity] = at(x, y);
      expect(Math.abs(red / unit - (110 + x / 20 + y / 20))).toBeLessThan(1.1);
      expect(opacity).toBe(deep ? 40_000 : 150);
    }
  });

  it('stops between strips', async () => {
    const full = picture(WIDTH, HEIGHT, ripples);
    const before = await reduced(full);
    const file = await sharp(full.data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .png()
      .toBuffer();
    const controller = new AbortController();
    const { signal } = controller;
    await withScratch(async (folder) => {
      const { pixels: original } = await decodeToFile(await probe(file), join(folder, 'original'), {
        maxSide: 5000,
        hasAlpha: false,
      });
      const seen: number[] = [];
      const onProgress = (part: number) => {
        seen.push(part);
        controller.abort(new Error('enough'));
      };
      const order = { original, size: full, before, after: before, signal, onProgress };
      await expect(composeToFile(order, folder)).rejects.toThrow('enough');
      expect(seen).toHaveLength(1);
    });
  });
});
