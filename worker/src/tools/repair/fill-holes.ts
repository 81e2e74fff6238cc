import { setImmediate as turn } from 'node:timers/promises';
import type { Raster } from '../../rasters/raster.js';

/** Half the side of the patches that are compared, in pixels: 7 x 7. */
const RADIUS = 3;
/** Levels of half the size each, until holes are at most twice `NARROW` wide. */
const MOST_LEVELS = 6;
const NARROW = 3;
const SMALLEST_SIDE = 4 * (2 * RADIUS + 1);
/** Passes over the holes of a level, alternately from the top and from the bottom. */
const PASSES = 3;
/** Pixels of a level around a hole in which its patches are sought: textures further away seldom fit. */
const REACH = 20;
/** How much less a pixel counts for each pixel that it is further from the rim of its hole. */
const DECAY = 0.5;
/** Share of a difference in mean color that does not count against a patch: it is shifted to the colors around the hole. */
const EXCUSED = 0.6;
/** Share of the texture of single patches in the result: means of patches lose their grain. */
const GRAIN = 0.3;

/** Called between parts of the work; throws to end it. */
type Pause = () => Promise<void>;

/**
 * Fills the holes of a picture from its surroundings, in place, with the patches that fit what is around them and each other
 * best (Wexler, Shechtman and Irani, Space-Time Completion, 2007, with the search of Barnes and others, PatchMatch, 2009).
 * @param holes of the picture's size; what is not 0 is filled
 */
export async function fillHoles(picture: Raster, holes: Uint8Array, signal: AbortSignal): Promise<void> {
  const pause = async () => {
    await turn();
    signal.throwIfAborted();
  };
  const levels = [levelOf(picture, holes)];
  for (;;) {
    const last = levels.at(-1) as Level;
    const isOver = last.targets.every((at) => (last.depth[at] as number) <= NARROW) || levels.length === MOST_LEVELS;
    if (isOver || Math.min(last.width, last.height) < 2 * SMALLEST_SIDE) break;
    levels.push(reduced(last));
  }
  const coarsest = levels.at(-1) as Level;
  spread(coarsest);
  let coarser: Level | null = null;
  for (const level of levels.reverse()) {
    if (coarser) inherit(level, coarser);
    await fillLevel(level, coarser, pause);
    coarser = level;
  }
  const { colors, targets } = levels.at(-1) as Level;
  const target = new Uint8ClampedArray(picture.data.buffer, picture.data.byteOffset, picture.data.length);
  for (const pixel of targets) for (let at = 3 * pixel; at < 3 * pixel + 3; at++) target[at] = colors[at] as number;
}

interface Level {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, 0..255; of holes, what they are filled with so far. */
  readonly colors: Float32Array;
  /** 0 outside; inside, how far the next pixel outside is. */
  readonly depth: Uint8Array;
  /** Pixels of holes, row by row. */
  readonly targets: Int32Array;
  /** Center of the patch that is taken for each pixel of a hole. */
  readonly sources: Int32Array;
}

function levelOf(
  { width, height, data }: Pick<Raster, 'width' | 'height'> & { data: ArrayLike<number> },
  holes: Uint8Array,
): Level {
  return withDepth({ width, height, colors: Float32Array.from(data) }, holes);
}

/** Distances in steps to the four neighbors, from the rim inwards; at most 255. */
function withDepth({ width, height, colors }: Pick<Level, 'width' | 'height' | 'colors'>, holes: Uint8Array): Level {
  const targets: number[] = [];
  for (let at = 0; at < holes.length; at++) if (holes[at]) targets.push(at);
  const depth = new Uint8Array(width * height);
  for (const at of targets) depth[at] = 255;
  const near = (at: number, x: number, y: number): number => {
    const { [at - 1]: left = 0, [at + 1]: right = 0, [at - width]: up = 0, [at + width]: down = 0 } = depth;
    return (
      1 + Math.min(x > 0 ? left : 254, x + 1 < width ? right : 254, y > 0 ? up : 254, y + 1 < height ? down : 254, 254)
    );
  };
  for (const at of targets) depth[at] = near(at, at % width, Math.floor(at / width));
  for (let index = targets.length - 1; index >= 0; index--) {
    const at = targets[index] as number;
    depth[at] = near(at, at % width, Math.floor(at / width));
  }
  return { width, height, colors, depth, targets: Int32Array.from(targets), sources: new Int32Array(width * height) };
}

/** Half the size: means of what is known; holes where nothing is. */
function reduced({ width, height, colors, depth }: Level): Level {
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const half = new Float32Array(columns * rows * 3);
  const holes = new Uint8Array(columns * rows);
  for (let y = 0, to = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, to++) {
      let known = 0;
      for (let row = 2 * y; row < Math.min(height, 2 * y + 2); row++) {
        for (let at = row * width + 2 * x, end = Math.min(at + 2, (row + 1) * width); at < end; at++) {
          if (depth[at]) continue;
          known++;
          for (let channel = 0; channel < 3; channel++)
            half[3 * to + channel] = (half[3 * to + channel] as number) + (colors[3 * at + channel] as number);
        }
      }
      if (known === 0) holes[to] = 1;
      else
        for (let channel = 0; channel < 3; channel++)
          half[3 * to + channel] = (half[3 * to + channel] as number) / known;
    }
  }
  return withDepth({ width: columns, height: rows, colors: half }, holes);
}

/** Fills holes with means of their neighbors, from the rim inwards. */
function spread({ width, height, colors, depth, targets }: Level): void {
  const inwards = [...targets].sort((one, two) => (depth[one] as number) - (depth[two] as number));
  const known = Uint8Array.from(depth, (steps) => (steps === 0 ? 1 : 0));
  for (const at of inwards) {
    const [x, y] = [at % width, Math.floor(at / width)];
    let count = 0;
    const sum: [number, number, number] = [0, 0, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const from = row * width + column;
        if (!known[from]) continue;
        count++;
        for (const channel of [0, 1, 2] as const) sum[channel] += colors[3 * from + channel] as number;
      }
    }
    if (count > 0) for (const channel of [0, 1, 2] as const) colors[3 * at + channel] = sum[channel] / count;
    known[at] = 1;
  }
}

/** Takes the colors of a level of half the size for a beginning. */
function inherit({ width, colors, targets }: Level, coarser: Level): void {
  for (const at of targets) {
    const from = (Math.floor(at / width) >> 1) * coarser.width + ((at % width) >> 1);
    for (let channel = 0; channel < 3; channel++)
      colors[3 * at + channel] = coarser.colors[3 * from + channel] as number;
  }
}

async function fillLevel(level: Level, coarser: Level | null, pause: Pause): Promise<void> {
  if (level.targets.length === 0) return;
  const search = new Search(level);
  search.begin(coarser);
  for (let pass = 0; pass < PASSES; pass++) {
    await search.improve(pass % 2 === 1, pause);
    search.vote(pass === PASSES - 1 ? GRAIN : 0);
    await pause();
  }
}

/** The patches of one level, and how well each fits. */
class Search {
  readonly #level: Level;
  /** Whether the patch around a pixel is inside the picture and outside holes. */
  readonly #isWhole: Uint8Array;
  readonly #indexOf: Int32Array;
  /** Of each target: how badly its patch fits, and what its colors lack to those around the target. */
  readonly #fit: Float32Array;
  readonly #offsets: Float32Array;
  readonly #weights: Float32Array;
  #state = 1;

  constructor(level: Level) {
    this.#level = level;
    const { width, height, depth } = level;
    this.#isWhole = new Uint8Array(width * height);
    for (let y = RADIUS; y < height - RADIUS; y++) this.#isWhole.fill(1, y * width + RADIUS, (y + 1) * width - RADIUS);
    for (const at of level.targets) {
      const [x, y] = [at % width, Math.floor(at / width)];
      for (let row = Math.max(0, y - RADIUS); row <= Math.min(height - 1, y + RADIUS); row++) {
        const start = row * width;
        this.#isWhole.fill(0, start + Math.max(0, x - RADIUS), start + Math.min(width, x + RADIUS + 1));
      }
    }
    this.#indexOf = new Int32Array(width * height);
    for (const [index, at] of level.targets.entries()) this.#indexOf[at] = index;
    this.#fit = new Float32Array(level.targets.length);
    this.#offsets = new Float32Array(3 * level.targets.length);
    this.#weights = new Float32Array(width * height).fill(1);
    for (const at of level.targets) this.#weights[at] = DECAY ** (depth[at] as number);
  }

  /** Patches of the level before, or any nearby. */
  begin(coarser: Level | null): void {
    const { width, targets, sources } = this.#level;
    for (const [index, at] of targets.entries()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      sources[at] = -1;
      this.#fit[index] = Number.POSITIVE_INFINITY;
      if (coarser) {
        const above = (y >> 1) * coarser.width + (x >> 1);
        const from = coarser.sources[above] as number;
        if (coarser.depth[above] && from >= 0)
          this.#try(
            index,
            at,
            x,
            y,
            2 * (from % coarser.width) + (x & 1),
            2 * Math.floor(from / coarser.width) + (y & 1),
          );
      }
      // The rim of wide holes has few whole patches near.
      for (let tries = 0, reach = REACH; sources[at] === -1 && tries < 60; tries++, reach *= 1.1)
        this.#try(index, at, x, y, Math.round(x + reach * this.#random()), Math.round(y + reach * this.#random()));
    }
  }

  async improve(isBackward: boolean, pause: Pause): Promise<void> {
    const { width, targets, sources, depth } = this.#level;
    const step = isBackward ? -1 : 1;
    for (let turn = 0; turn < targets.length; turn++) {
      if (turn % 8192 === 8191) await pause();
      const index = isBackward ? targets.length - 1 - turn : turn;
      const at = targets[index] as number;
      const [x, y] = [at % width, Math.floor(at / width)];
      // Its colors changed since it was found.
      const own = sources[at] as number;
      this.#fit[index] = Number.POSITIVE_INFINITY;
      if (own >= 0) this.#try(index, at, x, y, own % width, Math.floor(own / width));
      for (const neighbor of [at - step, at - step * width]) {
        const from = depth[neighbor] ? (sources[neighbor] as number) : -1;
        if (from < 0) continue;
        const beside = from + at - neighbor;
        this.#try(index, at, x, y, beside % width, Math.floor(beside / width));
      }
      for (let reach = REACH; reach >= 1; reach /= 2.5) {
        const best = sources[at] as number;
        const [middleX, middleY] = best >= 0 ? [best % width, Math.floor(best / width)] : [x, y];
        this.#try(
          index,
          at,
          x,
          y,
          Math.round(middleX + reach * this.#random()),
          Math.round(middleY + reach * this.#random()),
        );
      }
    }
  }

  /**
   * Gives each pixel the mean of the patches that cover it, those that fit better more.
   * @param grain share of what its own patch has beyond the mean
   */
  vote(grain: number): void {
    const { width, height, colors, depth, targets, sources } = this.#level;
    const sums = new Float32Array(4 * targets.length);
    const indexOf = this.#indexOf;
    const offsets = this.#offsets;
    const fits = this.#fit.filter(Number.isFinite).sort();
    const usual = 2 * (fits[Math.floor(fits.length * 0.75)] ?? 1) + 1;
    for (const [index, at] of targets.entries()) {
      const from = sources[at] as number;
      if (from < 0) continue;
      const x = at % width;
      const y = Math.floor(at / width);
      const share = Math.exp(-(this.#fit[index] as number) / usual) * (this.#weights[at] as number);
      const red = offsets[3 * index] as number;
      const green = offsets[3 * index + 1] as number;
      const blue = offsets[3 * index + 2] as number;
      for (let row = Math.max(-RADIUS, -y); row <= Math.min(RADIUS, height - 1 - y); row++) {
        for (let column = Math.max(-RADIUS, -x); column <= Math.min(RADIUS, width - 1 - x); column++) {
          const to = at + row * width + column;
          if (!depth[to]) continue;
          const source = 3 * (from + row * width + column);
          const sum = 4 * (indexOf[to] as number);
          sums[sum] = (sums[sum] as number) + share * (red + (colors[source] as number));
          sums[sum + 1] = (sums[sum + 1] as number) + share * (green + (colors[source + 1] as number));
          sums[sum + 2] = (sums[sum + 2] as number) + share * (blue + (colors[source + 2] as number));
          sums[sum + 3] = (sums[sum + 3] as number) + share;
        }
      }
    }
    for (const [index, at] of targets.entries()) {
      const share = sums[4 * index + 3] as number;
      if (share === 0) continue;
      for (let channel = 0; channel < 3; channel++) {
        const mean = (sums[4 * index + channel] as number) / share;
        colors[3 * at + channel] = mean + (grain > 0 ? grain * this.#textureAt(sources[at] as number, channel) : 0);
      }
    }
  }

  /** What a pixel outside holes has beyond the mean of its neighbors. */
  #textureAt(at: number, channel: number): number {
    if (at < 0) return 0;
    const { width, colors } = this.#level;
    let sum = 0;
    for (let row = -1; row <= 1; row++)
      for (let column = -1; column <= 1; column++) sum += colors[3 * (at + row * width + column) + channel] as number;
    return (colors[3 * at + channel] as number) - sum / 9;
  }

  /** Takes the patch around a source for the target if it fits better. */
  #try(index: number, at: number, x: number, y: number, sourceX: number, sourceY: number): void {
    const { width, height, colors, sources } = this.#level;
    if (sourceX < 0 || sourceY < 0 || sourceX >= width || sourceY >= height) return;
    const from = sourceY * width + sourceX;
    if (!this.#isWhole[from]) return;
    const weights = this.#weights;
    const least = this.#fit[index] as number;
    const left = Math.max(-RADIUS, -x);
    const right = Math.min(RADIUS, width - 1 - x);
    const bottom = Math.min(RADIUS, height - 1 - y);
    const ahead = from - at;
    let count = 0;
    let squares = 0;
    let reds = 0;
    let greens = 0;
    let blues = 0;
    let fit = 0;
    for (let row = Math.max(-RADIUS, -y); row <= bottom; row++) {
      const end = at + row * width + right;
      for (let own = at + row * width + left; own <= end; own++) {
        const one = 3 * own;
        const other = 3 * (own + ahead);
        const red = (colors[one] as number) - (colors[other] as number);
        const green = (colors[one + 1] as number) - (colors[other + 1] as number);
        const blue = (colors[one + 2] as number) - (colors[other + 2] as number);
        const weight = weights[own] as number;
        count += weight;
        squares += weight * (red * red + green * green + blue * blue);
        reds += weight * red;
        greens += weight * green;
        blues += weight * blue;
      }
      // It never falls when a row is added.
      fit = squares - (EXCUSED * (reds * reds + greens * greens + blues * blues)) / count;
      if (fit >= least) return;
    }
    sources[at] = from;
    this.#fit[index] = fit;
    this.#offsets[3 * index] = reds / count;
    this.#offsets[3 * index + 1] = greens / count;
    this.#offsets[3 * index + 2] = blues / count;
  }

  /** -1..1, the same in each run. */
  #random(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 31 - 1;
  }
}
