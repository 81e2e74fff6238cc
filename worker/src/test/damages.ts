import sharp from 'sharp';
import type { Raster } from '../rasters/raster.js';

/** Levels by which damage changes a pixel that is to be found: less is lost in grain and compression. */
const VISIBLE = 12;

export interface Damaged {
  readonly picture: Raster;
  /** 1 where the damage changed the picture visibly. */
  readonly marks: Uint8Array;
}

type Random = (from: number, to: number) => number;
type Point = readonly [x: number, y: number];

/** Strokes and shapes in white, of a picture whose sides are about `side` pixels. */
type Drawing = (random: Random, size: Pick<Raster, 'width' | 'height'>, unit: number) => string;

const anywhere = (random: Random, { width, height }: Pick<Raster, 'width' | 'height'>): Point => [
  random(0, width),
  random(0, height),
];

function pathOf([first, ...rest]: readonly Point[], width: number, opacity: number): string {
  const line = rest.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return `<path d="M${first?.join(' ')}${line}" stroke-width="${width.toFixed(2)}" opacity="${opacity.toFixed(2)}"/>`;
}

function walk(random: Random, start: Point, options: { angle: number; length: number; step: number; turn: number }) {
  const points: Point[] = [start];
  let { angle } = options;
  let [x, y] = start;
  for (let gone = 0; gone < options.length; gone += options.step) {
    angle += random(-options.turn, options.turn);
    x += options.step * Math.cos(angle);
    y += options.step * Math.sin(angle);
    points.push([x, y]);
  }
  return points;
}

const repeat = (count: number, draw: () => string): string => Array.from({ length: Math.round(count) }, draw).join('');

function blobOf(random: Random, [x, y]: Point, radius: number, roughness: number): string {
  const corners = Array.from({ length: 12 }, (_, index) => {
    const reach = radius * random(1 - roughness, 1 + roughness);
    const angle = (index * Math.PI) / 6;
    return `${(x + reach * Math.cos(angle)).toFixed(1)},${(y + reach * Math.sin(angle)).toFixed(1)}`;
  });
  return `<polygon points="${corners.join(' ')}" fill="#fff" stroke="none"/>`;
}

const DRAWINGS = {
  scratches: (random, size, unit) =>
    repeat(random(4, 9), () => {
      const points = walk(random, anywhere(random, size), {
        angle: random(0, 7),
        length: random(60, 600) * unit,
        step: 12 * unit,
        turn: 0.04,
      });
      return pathOf(points, random(0.9, 3) * unit, random(0.55, 1));
    }),
  dust: (random, size, unit) =>
    repeat(random(40, 90), () => blobOf(random, anywhere(random, size), random(1, 3.5) * unit, 0.4)),
  hairs: (random, size, unit) =>
    repeat(random(3, 7), () => {
      const length = random(40, 120) * unit;
      const points = walk(random, anywhere(random, size), { angle: random(0, 7), length, step: 4 * unit, turn: 0.22 });
      return pathOf(points, random(1, 2) * unit, random(0.7, 1));
    }),
  cracks: (random, size, unit) =>
    repeat(random(2, 4), () => {
      const length = random(200, 500) * unit;
      const points = walk(random, anywhere(random, size), { angle: random(0, 7), length, step: 9 * unit, turn: 0.55 });
      const branch = walk(random, points[points.length >> 1] as Point, {
        angle: random(0, 7),
        length: length / 3,
        step: 7 * unit,
        turn: 0.5,
      });
      return pathOf(points, random(1.2, 2.6) * unit, 0.9) + pathOf(branch, random(0.9, 1.6) * unit, 0.8);
    }),
  folds: (random, { width, height }, unit) => {
    const y = random(0.2, 0.8) * height;
    const across = Array.from({ length: 80 }, (_, index): Point => [(index * width) / 79, y + random(-1, 1) * unit]);
    return pathOf(across, random(2, 4.5) * unit, random(0.7, 1));
  },
  spots: (random, size, unit) =>
    repeat(random(5, 12), () => blobOf(random, anywhere(random, size), random(4, 11) * unit, 0.25)),
} as const satisfies Record<string, Drawing>;

export type DamageKind = keyof typeof DRAWINGS;
export const DAMAGE_KINDS = Object.keys(DRAWINGS) as DamageKind[];

/** Brightness of bare paper, and of dirt: what marks are made of. */
const PAPER = 238;
const DIRT = 28;
const DARK: Readonly<Partial<Record<DamageKind, true>>> = { hairs: true };

/** Bare paper, or dark hairs, over a picture; the same for the same seed. */
export async function damaged(truth: Raster, kinds: readonly DamageKind[], seed = 1): Promise<Damaged> {
  const { width, height } = truth;
  const unit = Math.max(width, height) / 1000;
  let state = seed * 7919;
  const random: Random = (from, to) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from + ((to - from) * state) / 2 ** 32;
  };
  // The first numbers of seeds that follow each other are alike.
  for (let skipped = 0; skipped < 8; skipped++) random(0, 1);
  const picture = { ...truth, data: Uint8Array.from(truth.data) };
  for (const kind of kinds) {
    const drawn = DRAWINGS[kind](random, truth, unit);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><g stroke="#fff" fill="none" stroke-linejoin="round" stroke-linecap="round">${drawn}</g></svg>`;
    const coverage = await sharp(Buffer.from(svg)).blur(0.5).toColourspace('b-w').raw().toBuffer();
    const level = DARK[kind] ? DIRT : PAPER;
    const share = random(0.75, 1);
    for (let at = 0; at < coverage.length; at++) {
      const covered = (share * (coverage[at] as number)) / 255;
      for (let sample = 3 * at; sample < 3 * at + 3; sample++) {
        const own = picture.data[sample] as number;
        picture.data[sample] = Math.round(own + (level - own) * covered);
      }
    }
  }
  const marks = new Uint8Array(width * height);
  for (let sample = 0; sample < picture.data.length; sample++) {
    const change = Math.abs((picture.data[sample] as number) - (truth.data[sample] as number));
    if (change >= VISIBLE) marks[Math.floor(sample / 3)] = 1;
  }
  return { picture, marks };
}
