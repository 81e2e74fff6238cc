import { fileURLToPath } from 'node:url';
import type { AiPipeline } from '@clearframe/contract/pipeline';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { meanDeltaE00 } from '../../test/color-difference.js';
import { FADES, type FadeKind, faded } from '../../test/fades.js';
import { colorSpaceOf } from '../color/color-space.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { isFaded, measureFade } from './measure-fade.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);

async function photo(name: 'astronaut' | 'coffee' | 'chelsea'): Promise<Raster> {
  const file = fileURLToPath(new URL(`../../../test/fixtures/${name}.jpg`, import.meta.url));
  const { data, info } = await sharp(file)
    .resize(256, 256, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

const apply = (picture: Raster, fade: NonNullable<AiPipeline['fade']> = { model: 'base' }, deep?: Uint16Array) =>
  runPipeline(sessions, picture, { fade }, { signal: new AbortController().signal, onProgress: () => undefined, deep });

async function foundIn(picture: Raster): Promise<{ isFaded: boolean; isSepia: boolean }> {
  const fade = await measureFade(picture, colorSpaceOf(null));
  return { isFaded: isFaded(fade), isSepia: fade.isSepia };
}

/** Each color as a function of its own, and of its place from 0 to 1. */
const painted = (
  picture: Raster,
  color: (codes: readonly [number, number, number], x: number, y: number) => readonly number[],
): Raster => {
  const { width, height, data } = picture;
  const painted = Uint8Array.from(data);
  for (let at = 0; at < data.length; at += 3) {
    const pixel = at / 3;
    const codes = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0] as const;
    painted.set(
      color(codes, (pixel % width) / width, Math.floor(pixel / width) / height).map((code) =>
        Math.max(0, Math.min(255, Math.round(code))),
      ),
      at,
    );
  }
  return { width, height, data: painted };
};

const gray = (picture: Raster) =>
  painted(picture, ([red, green, blue]) => Array<number>(3).fill(0.2126 * red + 0.7152 * green + 0.0722 * blue));
/** Brown in the middle tones, cream in the lights. */
const sepia = (picture: Raster) =>
  painted(gray(picture), ([code]) =>
    code < 128
      ? [10 + 1.02 * code, 6 + 0.72 * code, 4 + 0.44 * code]
      : [140 + 0.85 * (code - 128), 98 + 1.18 * (code - 128), 60 + 1.34 * (code - 128)],
  );

const astronaut = await photo('astronaut');
const coffee = await photo('coffee');

describe('a print', () => {
  const kinds = Object.keys(FADES) as FadeKind[];
  it.each((['base', 'v1'] as const).flatMap((model) => kinds.map((kind) => [kind, model] as const)))(
    'that has faded (%s) comes at least halfway back with %s',
    async (kind, model) => {
      for (const picture of [astronaut, coffee]) {
        const print = faded(picture, kind);
        const { raster } = await apply(print, { model });
        expect(await foundIn(print)).toMatchObject({ isFaded: true });
        expect(meanDeltaE00(raster.data, picture.data)).toBeLessThan(meanDeltaE00(print.data, picture.data) / 2);
      }
    },
  );

  it('is seen within the black rim of a scanner', async () => {
    const scan = painted(faded(astronaut, 'yellowed'), (codes, x, y) =>
      Math.min(x, y, 1 - x, 1 - y) < 0.02 ? [0, 0, 0] : codes,
    );
    expect(await foundIn(scan)).toMatchObject({ isFaded: true });
  });

  it('keeps its shades of 16 bits', async () => {
    const print = faded(astronaut, 'yellowed');
    const deep = Uint16Array.from(print.data, (code, at) => code * 257 + (at % 200));
    const result = await apply(print, { model: 'v1' }, deep);
    const shades = new Set(result.deep?.map((code) => code % 257));
    expect(shades.size).toBeGreaterThan(100);
    const rounded = Uint8Array.from(result.deep ?? [], (code) => Math.round(code / 257));
    expect(meanDeltaE00(rounded, result.raster.data)).toBeLessThan(1);
  });

  it('comes back by the share of the strength', async () => {
    const print = faded(astronaut, 'cyanLoss');
    const [full, half] = [await apply(print), await apply(print, { model: 'base', strength: 0.5 })];
    const change = meanDeltaE00(full.raster.data, print.data);
    const part = meanDeltaE00(half.raster.data, print.data);
    expect(part).toBeGreaterThan(0.3 * change);
    expect(part).toBeLessThan(0.8 * change);
  });
});

const UNFADED: Readonly<Record<string, () => Raster | Promise<Raster>>> = {
  'a portrait': () => astronaut,
  'a still life': () => coffee,
  'a cat': () => photo('chelsea'),
  'black and white': () => gray(astronaut),
  sepia: () => sepia(astronaut),
  'a sunset': () =>
    painted(astronaut, ([red, green, blue], _, y) => [
      red * 0.25 + 220 * (1 - y) ** 2,
      green * 0.18 + 120 * (1 - y) ** 2,
      blue * 0.15 + 30 * (1 - y) ** 2,
    ]),
  snow: () => painted(astronaut, (codes) => codes.map((code, channel) => 165 + code * 0.33 + 4 * channel)),
  fog: () =>
    painted(astronaut, (codes, _, y) => codes.map((code) => code * (0.15 + 0.75 * y) + 190 * (0.85 - 0.75 * y))),
  'haze at dawn': () =>
    painted(coffee, (codes, x, y) =>
      codes.map((code, at) => {
        const share = 0.15 + 0.4 * y + 0.15 * x;
        return 0.6 * code * share + ([250, 232, 205][at] ?? 0) * (1 - share);
      }),
    ),
  'a night': () => painted(astronaut, ([red, green, blue]) => [red * 0.2, green * 0.2, blue * 0.3 + 4]),
  'a studio': () =>
    painted(astronaut, (codes, x, y) =>
      Math.hypot(x - 0.5, y - 0.5) < 0.3 ? codes : [205 - 30 * x, 200 - 30 * x, 190 - 30 * x],
    ),
};

it.each(Object.keys(UNFADED))('leaves %s alone', async (name) => {
  const picture = (await UNFADED[name]?.()) ?? astronaut;
  for (const model of ['base', 'v1'] as const) {
    const { raster, isUntouched, leftAlone } = await apply(picture, { model });
    expect(meanDeltaE00(raster.data, picture.data)).toBeLessThan(1);
    expect({ isUntouched, leftAlone }).toEqual({ isUntouched: true, leftAlone: ['fade'] });
  }
  expect(await foundIn(picture)).toEqual({ isFaded: false, isSepia: name === 'sepia' });
});

describe('a sepia print', () => {
  const spreadOf = ({ data }: Raster) => {
    let most = 0;
    for (let at = 0; at < data.length; at += 3) {
      const codes = data.subarray(at, at + 3);
      most = Math.max(most, Math.max(...codes) - Math.min(...codes));
    }
    return most;
  };

  it('keeps its tone when its blacks are restored', async () => {
    const truth = sepia(astronaut);
    const print = faded(truth, 'lowContrast');
    const { raster } = await apply(print);
    expect(await foundIn(print)).toEqual({ isFaded: true, isSepia: true });
    expect(meanDeltaE00(raster.data, truth.data)).toBeLessThan(meanDeltaE00(print.data, truth.data) / 2);
    expect(spreadOf(raster)).toBeGreaterThan(60);
  });

  it('becomes neutral on request, which a color picture ignores', async () => {
    const neutral = { model: 'base', neutral: true } as const;
    for (const print of [sepia(astronaut), faded(sepia(astronaut), 'uneven')]) {
      expect(spreadOf((await apply(print, neutral)).raster)).toBeLessThanOrEqual(2);
    }
    expect((await apply(coffee, neutral)).isUntouched).toBe(true);
  });
});
