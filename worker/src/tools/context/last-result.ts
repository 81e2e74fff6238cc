import { createHash } from 'node:crypto';
import type { Raster } from '../../rasters/raster.js';

/** Larger pictures leave no memory for it: a matte takes 4 bytes a pixel and 2 for what it is mixed with. */
const MAX_PIXELS = 4.2e6;

/**
 * What a tool computed of the last picture, in memory, for further changes of the same picture. Results are found by the picture's
 * bytes and everything else that they depend on, never by user or task.
 */
export class LastResult<Value> {
  #last: { readonly key: string; readonly width: number; readonly height: number; readonly value: Value } | null = null;

  /** @param dependencies everything besides the picture; as JSON */
  async of(picture: Raster, dependencies: unknown, compute: () => Promise<Value>): Promise<Value> {
    const { width, height } = picture;
    if (width * height > MAX_PIXELS) return compute();
    const key = createHash('sha256')
      .update(JSON.stringify([width, height, dependencies]))
      .update(picture.data)
      .digest('hex');
    if (this.#last?.key === key) return this.#last.value;
    this.#last = null;
    const value = await compute();
    this.#last = { key, width, height, value };
    return value;
  }

  /** Frees the memory of a picture of another size. */
  releaseUnless({ width, height }: Raster): void {
    if (this.#last?.width !== width || this.#last.height !== height) this.#last = null;
  }
}
