import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Raster } from '@clearframe/worker/dist/rasters/raster.js';
import { meanDeltaE00 } from '@clearframe/worker/dist/test/color-difference.js';
import { FADES, type FadeKind, faded } from '@clearframe/worker/dist/test/fades.js';
import { restoreFade } from '@clearframe/worker/dist/tools/fade/restore-fade.js';
import sharp from 'sharp';
import { publish, quantile, table } from './support/results.ts';

const PICTURE = /\.(avif|jpe?g|png|tiff?|webp)$/i;
const MODELS = ['base', 'v1'] as const;
/** Longest side in pixels of the pictures whose colors are compared. */
const SIDE = 600;
/** Of the picture that is timed: 2 megapixels. */
const TIMED = { width: 1632, height: 1224 } as const;
const RUNS = 5;

async function restored(picture: Raster, model: (typeof MODELS)[number]): Promise<Raster> {
  const current = { ...picture, data: Uint8Array.from(picture.data) };
  const { signal } = new AbortController();
  await restoreFade({ current, deep: null, icc: null, signal }, { model }, () => undefined);
  return current;
}

async function read(file: string, size: { width: number; height: number; fit: 'inside' | 'fill' }): Promise<Raster> {
  const { data, info } = await sharp(file)
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize({ ...size, kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Color of generated haze, which covers less of a photo from its top to its bottom. */
const HAZES = { 'cool haze': [225, 230, 238], 'warm haze': [250, 236, 212] } as const;
const COVERED = { top: 0.8, bottom: 0.3 } as const;

function behind(haze: readonly [number, number, number], { width, height, data }: Raster): Raster {
  const hazy = data.map((code, at) => {
    const share = COVERED.top + (COVERED.bottom - COVERED.top) * (Math.floor(at / 3 / width) / height);
    return code * (1 - share) + (haze[at % 3] ?? 0) * share;
  });
  return { width, height, data: hazy };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * `pnpm bench fade --photos FOLDER`: fades photos in every way, restores them with both models, and compares with the truth; and
 * restores the photos themselves, which should change nothing, and behind haze, which should not pass for fading.
 */
export async function benchFade(args: string[]): Promise<void> {
  const { photos } = parseArgs({ args, options: { photos: { type: 'string' } } }).values;
  if (!photos) throw new Error('Usage: pnpm bench fade --photos FOLDER');
  const names = (await readdir(photos)).filter((name) => PICTURE.test(name)).sort();
  const rows: (string | number)[][] = [['', 'faded', ...MODELS, ...MODELS.map((model) => `${model}: worst 10th`)]];
  const kinds = Object.keys(FADES) as FadeKind[];
  const differences = new Map(kinds.map((kind) => [kind, [] as number[][]]));
  const untouched: number[][] = [];
  const changed = new Map<string, number>();
  for (const name of names) {
    const truth = await read(join(photos, name), { width: SIDE, height: SIDE, fit: 'inside' });
    const against = async (picture: Raster) => {
      const found = [meanDeltaE00(picture.data, truth.data)];
      for (const model of MODELS) found.push(meanDeltaE00((await restored(picture, model)).data, truth.data));
      return found;
    };
    untouched.push(await against(truth));
    for (const [title, color] of Object.entries(HAZES)) {
      const hazy = behind(color, truth);
      const change = meanDeltaE00((await restored(hazy, 'base')).data, hazy.data);
      changed.set(title, (changed.get(title) ?? 0) + (change > 1 ? 1 : 0));
    }
    for (const kind of kinds) differences.get(kind)?.push(await against(faded(truth, kind)));
  }
  const rowOf = (title: string, found: readonly number[][]) => [
    title,
    ...[0, 1, 2].map((column) => mean(found.map((values) => values[column] ?? 0)).toFixed(2)),
    ...[1, 2].map((column) =>
      quantile(
        found.map((values) => values[column] ?? 0),
        0.9,
      ).toFixed(2),
    ),
  ];
  for (const [kind, found] of differences) rows.push(rowOf(kind, found));
  rows.push(rowOf('all', [...differences.values()].flat()));
  rows.push(rowOf('not faded', untouched));

  const times: (string | number)[][] = [['', 'ms']];
  const large = faded(await read(join(photos, names[0] ?? ''), { ...TIMED, fit: 'fill' }), 'uneven');
  for (const model of MODELS) {
    const ms: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      await restored(large, model);
      ms.push(performance.now() - start);
    }
    times.push([model, Math.round(quantile(ms, 0.5))]);
  }
  await publish(
    'fade',
    'Faded prints, generated',
    [
      `${names.length} photos; mean ΔE2000 to the truth.`,
      table(rows),
      `Photos behind generated haze that base takes for prints, changing them by more than 1: ${[...changed].map(([title, count]) => `${count} in ${title}`).join(', ')}.`,
      `${((TIMED.width * TIMED.height) / 1e6).toFixed(1)} megapixels, median of ${RUNS}:`,
      table(times),
    ].join('\n\n'),
  );
}
