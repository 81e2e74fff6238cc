import { createHash } from 'node:crypto';
import type { Raster } from '../../rasters/raster.js';

/** Larger pictures leave no memory for it: of each pixel a matte takes 6 bytes, its restored background 3. */
const MAX_PIXELS = 4.2e6;
/** Since the last use. Users change a picture several times within it, and a deleted picture stays in memory no longer. */
const MAX_IDLE_MS = 5 * 60_000;

interface Kept<Value> {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly value: Value;
}

const all: LastResult<unknown>[] = [];

let idle: NodeJS.Timeout | undefined;

function releaseWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    for (const result of all) result.release();
  }, MAX_IDLE_MS).unref();
}

/** Frees what was kept of pictures of another size. */
export function releaseResultsUnless(picture: Raster): void {
  for (const result of all) result.releaseUnless(picture);
}

/**
 * What a tool computed of the last picture, in memory, for further changes of the same picture. Results are found by the
 * picture's bytes and everything else that they depend on, never by user or task.
 */
export class LastResult<Value> {
  #last: Kept<Value> | null = null;

  constructor() {
    all.push(this);
  }

  /** @param dependencies everything besides the picture; as JSON */
  async of(picture: Raster, dependencies: unknown, compute: () => Promise<Value>): Promise<Value> {
    const { width, height, data } = picture;
    if (width * height > MAX_PIXELS) return compute();
    const key = createHash('sha256')
      .update(JSON.stringify([width, height, dependencies]))
      .update(data)
      .digest('hex');
    const known = this.find(key);
    if (known) return known.value;
    this.#last = null;
    const value = await compute();
    this.keep(picture, key, value);
    return value;
  }

  find(key: string): { readonly value: Value } | null {
    if (this.#last?.key !== key) return null;
    releaseWhenIdle();
    return this.#last;
  }

  /** @param key of the picture's bytes and everything else that the value depends on */
  keep({ width, height }: Raster, key: string, value: Value): void {
    this.#last = width * height > MAX_PIXELS ? null : { key, width, height, value };
    releaseWhenIdle();
  }

  release(): void {
    this.#last = null;
  }

  releaseUnless({ width, height }: Raster): void {
    if (this.#last?.width !== width || this.#last.height !== height) this.release();
  }
}
