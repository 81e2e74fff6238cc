import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Sessions } from '@clearframe/worker/dist/networks/sessions.js';
import type { Raster } from '@clearframe/worker/dist/rasters/raster.js';
import { luma } from '@clearframe/worker/dist/rasters/raster.js';
import { DAMAGE_KINDS, damaged } from '@clearframe/worker/dist/test/damages.js';
import { findDamage } from '@clearframe/worker/dist/tools/repair/find-damage.js';
import { measureDamage } from '@clearframe/worker/dist/tools/repair/measure-damage.js';
import { repairDamage } from '@clearframe/worker/dist/tools/repair/repair-damage.js';
import sharp from 'sharp';
import { publish, quantile, table } from './support/results.ts';

const PICTURE = /\.(avif|jpe?g|png|tiff?|webp)$/i;
const MODELS = ['base', 'v1'] as const;
type Model = (typeof MODELS)[number];
/** Longest side in pixels. */
const SIDE = 1000;
/** Of the picture that is timed: 2 megapixels. */
const TIMED = { width: 1632, height: 1224 } as const;
const RUNS = 5;
/** Pixels by which a mark may be off. */
const TOLERANCE = 2;

const { signal } = new AbortController();

async function read(file: string | Buffer, size: { width: number; height: number; fit: 'inside' | 'fill' }) {
  const { data, info } = await sharp(file)
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize({ ...size, kernel: 'lanczos3', withoutEnlargement: size.fit === 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** As most prints are. */
const inGray = ({ data, ...size }: Raster): Raster => {
  const gray = luma({ ...size, data });
  return { ...size, data: data.map((_, at) => Math.round(gray[Math.floor(at / 3)] ?? 0)) };
};

/** What must not pass for damage, drawn over a photo: lines of text, cables, strands, and the bars of a window. */
async function withLookalikes({ width, height, data }: Raster, seed: number): Promise<Raster> {
  const at = (index: number, most: number) => ((seed * 131 + index * 197) % 997) * (most / 997);
  const text = Array.from(
    { length: 6 },
    (_, line) =>
      `<text x="${at(1, width / 2)}" y="${at(2, height / 2) + line * 22}" font-family="DejaVu Sans" font-size="16" fill="${seed % 2 ? '#fff' : '#111'}">Clearframe, ${line + 1} of 6: Il1|/ -- 2026</text>`,
  );
  const cables = [0, 1, 2].map(
    (line) =>
      `<path d="M-9 ${at(3, height) + 14 * line} Q${width / 2} ${at(3, height) + 60 + 14 * line} ${width + 9} ${at(4, height) + 14 * line}" stroke="#1a1a1a" stroke-width="${1 + (seed % 3)}" fill="none"/>`,
  );
  const strands = Array.from({ length: 14 }, (_, strand) => {
    const [x, y] = [at(5, width) + 3 * strand, at(6, height)];
    return `<path d="M${x} ${y} q${20 + strand} 50 ${strand - 5} 110" stroke="${strand % 2 ? '#2b1d14' : '#5a4330'}" stroke-width="1.2" fill="none"/>`;
  });
  const bars = [0, 1, 2, 3, 4].map(
    (bar) =>
      `<rect x="${at(7, width * 0.8) + 26 * bar}" y="${at(8, height / 2)}" width="3" height="${height / 3}" fill="#e8e8e8"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${[...text, ...cables, ...strands, ...bars].join('')}</svg>`;
  const drawn = await sharp(data, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: drawn };
}

/** Each pixel of the marks and what is at most `reach` from it along rows and columns. */
function widened(marks: Uint8Array, { width, height }: Raster, reach: number): Uint8Array {
  const wide = new Uint8Array(marks.length);
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++)
      wide.fill(1, row * width + Math.max(0, x - reach), row * width + Math.min(width - 1, x + reach) + 1);
  }
  return wide;
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at] as number;
  return total;
}
const mean = (values: readonly number[]): number => sum(values) / values.length;
const shared = (one: Uint8Array, other: Uint8Array): number =>
  sum(one.map((value, at) => value & (other[at] as number)));

function agreement(found: Uint8Array, wanted: Uint8Array, picture: Raster) {
  const right = shared(found, widened(wanted, picture, TOLERANCE));
  const covered = shared(wanted, widened(found, picture, TOLERANCE));
  const precision = right / Math.max(1, sum(found));
  const recall = covered / Math.max(1, sum(wanted));
  return { precision, recall, f1: (2 * precision * recall) / Math.max(1e-9, precision + recall) };
}

/** In decibels, of the marked pixels. */
function psnr(picture: Raster, truth: Raster, marks: Uint8Array): number {
  let squares = 0;
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at]) continue;
    for (let sample = 3 * at; sample < 3 * at + 3; sample++)
      squares += ((picture.data[sample] as number) - (truth.data[sample] as number)) ** 2;
  }
  return 10 * Math.log10(255 ** 2 / Math.max(1e-9, squares / (3 * sum(marks))));
}

/** Mean structural similarity (Wang and others, 2004) of the luma in windows of 8 x 8 that touch marks. */
function ssim(picture: Raster, truth: Raster, marks: Uint8Array): number {
  const [one, other] = [luma(picture), luma(truth)];
  const { width, height } = truth;
  const found: number[] = [];
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      const [a, b]: [number[], number[]] = [[], []];
      let isMarked = false;
      for (let y = top; y < top + 8; y++) {
        for (let at = y * width + left; at < y * width + left + 8; at++) {
          a.push(one[at] as number);
          b.push(other[at] as number);
          isMarked ||= marks[at] === 1;
        }
      }
      if (!isMarked) continue;
      const [middleA, middleB] = [mean(a), mean(b)];
      const both = mean(a.map((value, at) => (value - middleA) * ((b[at] as number) - middleB)));
      const [ofA, ofB] = [
        mean(a.map((value) => (value - middleA) ** 2)),
        mean(b.map((value) => (value - middleB) ** 2)),
      ];
      const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
      found.push(
        ((2 * middleA * middleB + c1) * (2 * both + c2)) / ((middleA ** 2 + middleB ** 2 + c1) * (ofA + ofB + c2)),
      );
    }
  }
  return mean(found);
}

/** What inpainting without texture does: the marked pixels become harmonic, by relaxation. */
function diffused(picture: Raster, marks: Uint8Array): Raster {
  const { width, height } = picture;
  const values = Float32Array.from(picture.data);
  const inside = Array.from(marks.keys()).filter((at) => marks[at]);
  for (let round = 0; round < 200; round++) {
    for (const at of inside) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const near = [
        x > 0 ? at - 1 : at + 1,
        x + 1 < width ? at + 1 : at - 1,
        y > 0 ? at - width : at + width,
        y + 1 < height ? at + width : at - width,
      ];
      for (let channel = 0; channel < 3; channel++)
        values[3 * at + channel] = mean(near.map((from) => values[3 * from + channel] as number));
    }
  }
  return { width, height, data: Uint8Array.from(values, Math.round) };
}

/**
 * `pnpm bench repair --photos FOLDER`: draws damage over photos, half of them in gray, finds and fills it, and compares with the
 * truth; and seeks damage in the photos themselves and below text, cables, strands and bars, where there is none.
 */
export async function benchRepair(args: string[]): Promise<void> {
  const { photos } = parseArgs({ args, options: { photos: { type: 'string' } } }).values;
  if (!photos) throw new Error('Usage: pnpm bench repair --photos FOLDER');
  const names = (await readdir(photos)).filter((name) => PICTURE.test(name)).sort();
  const sessions = await Sessions.open({});
  const context = { sessions, signal };
  const found = { f1: [] as number[], precision: [] as number[], recall: [] as number[] };
  const byKind = new Map(DAMAGE_KINDS.map((kind) => [kind, [] as number[]]));
  const filled = new Map(
    MODELS.map((model) => [
      model,
      { gain: [] as number[], ssim: [] as number[], left: [] as number[], diffused: [] as number[] },
    ]),
  );
  const clean = { photos: [] as number[], lookalikes: [] as number[] };
  const reported = { photos: 0, lookalikes: 0, damaged: 0 };
  const isReported = async (picture: Raster) => (await measureDamage(context, picture)).area > 0;
  for (const [index, name] of names.entries()) {
    const photo = await read(join(photos, name), { width: SIDE, height: SIDE, fit: 'inside' });
    const truth = index % 2 ? inGray(photo) : photo;
    clean.photos.push((await findDamage(context, truth)).area);
    const lookalikes = await withLookalikes(truth, index);
    clean.lookalikes.push((await findDamage(context, lookalikes)).area);
    if (await isReported(truth)) reported.photos++;
    if (await isReported(lookalikes)) reported.lookalikes++;
    const { picture, marks } = await damaged(truth, DAMAGE_KINDS, index + 1);
    const { f1, precision, recall } = agreement((await findDamage(context, picture)).marks, marks, truth);
    if (await isReported(picture)) reported.damaged++;
    found.f1.push(f1);
    found.precision.push(precision);
    found.recall.push(recall);
    const kind = DAMAGE_KINDS[index % DAMAGE_KINDS.length] as (typeof DAMAGE_KINDS)[number];
    const single = await damaged(truth, [kind], index + 101);
    byKind.get(kind)?.push(agreement((await findDamage(context, single.picture)).marks, single.marks, truth).f1);
    for (const model of MODELS) {
      const { picture: repaired } = await repairDamage(context, picture, { model });
      const holes = repaired.data.reduce((changed, value, at) => {
        if (value !== picture.data[at]) changed[Math.floor(at / 3)] = 1;
        return changed;
      }, new Uint8Array(marks.length));
      const of = filled.get(model);
      of?.gain.push(psnr(repaired, truth, marks) - psnr(picture, truth, marks));
      of?.ssim.push(ssim(repaired, truth, marks));
      of?.left.push(ssim(picture, truth, marks));
      of?.diffused.push(ssim(diffused(picture, holes), truth, marks));
    }
    console.log(
      name,
      f1.toFixed(2),
      precision.toFixed(2),
      recall.toFixed(2),
      ((clean.photos.at(-1) ?? 0) * 100).toFixed(3),
      ((clean.lookalikes.at(-1) ?? 0) * 100).toFixed(3),
    );
  }
  const shareOf = (areas: readonly number[]) => [
    `${(100 * mean(areas)).toFixed(3)} %`,
    `${(100 * Math.max(...areas)).toFixed(3)} %`,
  ];
  const large = (await damaged(await read(join(photos, names[0] ?? ''), { ...TIMED, fit: 'fill' }), DAMAGE_KINDS))
    .picture;
  const secondsOf = async (model: Model) => {
    const seconds: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      // Another picture each time: the last one's repair is kept.
      const picture = { ...large, data: Uint8Array.from(large.data) };
      picture.data[0] = run;
      const start = performance.now();
      await repairDamage(context, picture, { model });
      seconds.push((performance.now() - start) / 1000);
    }
    return quantile(seconds, 0.5).toFixed(1);
  };
  const rows = await Promise.all(
    MODELS.map(async (model) => {
      const of = filled.get(model) ?? { gain: [], ssim: [], left: [], diffused: [] };
      return [
        model,
        mean(of.gain).toFixed(1),
        mean(of.left).toFixed(3),
        mean(of.diffused).toFixed(3),
        mean(of.ssim).toFixed(3),
      ];
    }),
  );
  const times: (string | number)[][] = [];
  for (const model of MODELS) times.push([model, await secondsOf(model)]);
  await publish(
    'repair',
    'Damaged prints, generated',
    [
      `${names.length} photos of at most ${SIDE} pixels, half of them in gray.`,
      `Marks found by base, with ${TOLERANCE} pixels of tolerance:`,
      table([
        ['', 'F1', 'precision', 'recall'],
        ['all kinds at once', ...[found.f1, found.precision, found.recall].map((values) => mean(values).toFixed(2))],
        ...[...byKind].map(([kind, values]) => [kind, values.length ? mean(values).toFixed(2) : '-', '', '']),
      ]),
      'Share of the picture that is marked where there is no damage:',
      table([
        ['', 'mean', 'most'],
        ['photos', ...shareOf(clean.photos)],
        ['with text, cables, strands and bars', ...shareOf(clean.lookalikes)],
      ]),
      'Pictures whose analysis reports damage:',
      table([
        ['', 'reported', 'of'],
        ['photos', reported.photos, names.length],
        ['with text, cables, strands and bars', reported.lookalikes, names.length],
        ['with damage of all kinds', reported.damaged, names.length],
      ]),
      'Damaged pixels against the truth: gain in dB of PSNR over leaving them, and SSIM of windows that touch them:',
      table([['', 'gain', 'SSIM left', 'diffused', 'filled'], ...rows]),
      `Seconds for ${((TIMED.width * TIMED.height) / 1e6).toFixed(1)} megapixels, median of ${RUNS}:`,
      table([['', 's'], ...times]),
    ].join('\n\n'),
  );
  process.exit();
}
