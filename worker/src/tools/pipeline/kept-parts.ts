import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { KeptVariants } from '@clearframe/contract/pipeline';
import type { Role } from '../../networks/manifest.js';
import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { type Box, crop, type Raster } from '../../rasters/raster.js';
import type { Face, FacePatch } from '../restoration/context.js';
import { LastResult } from '../restoration/last-result.js';

/** The enhanced picture at full strength. */
export interface BackgroundPart {
  readonly roles: readonly Role[];
  readonly picture: Raster;
}

/** Detected faces, and the restored ones at full strength. */
export interface FacesPart {
  readonly roles: readonly Role[];
  /** Variant of the background that they were compared in; null: the original. */
  readonly over: string | null;
  readonly faces: readonly Face[];
  /** Patches by index of the face; null where it needed no restoration. */
  readonly patches: readonly (FacePatch | null)[];
}

/** A stored part. `variant` names it in the contract. */
export interface KeptBytes {
  readonly variant: string;
  readonly bytes: Uint8Array;
}

/** Unpacked, without what faces need. */
const lastBackground = new LastResult<BackgroundPart>();

/** Larger parts are computed again. */
const MAX_BYTES = 32_000_000;
/** Level of zstd. On differences of 2 megapixels, level 1 takes 50 ms, level 3 60 ms for 6 % less. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses in one chunk: each further chunk would wait for a thread that networks occupy for seconds. */
const compress = (bytes: Uint8Array): Promise<Buffer> =>
  promisify(zstdCompress)(bytes, { ...LEVEL, chunkSize: bytes.length + CHUNK_MARGIN });

/** Decompresses in one chunk: Node's default of 16 kB takes twice as long. @throws unless there are `length` bytes */
function decompress(bytes: Uint8Array, length: number): Buffer {
  const result = zstdDecompressSync(bytes, { maxOutputLength: length, chunkSize: length + CHUNK_MARGIN });
  if (result.length !== length) throw new Error('a kept part has another size');
  return result;
}

/** Upper bound of what zstd adds to bytes that it cannot compress. */
const CHUNK_MARGIN = 1 << 18;

/**
 * Parts of one picture. Pixels are stored as differences from the original, which are small; those of another size as
 * they are.
 */
export class KeptParts {
  readonly variants: KeptVariants;
  readonly #original: Raster;
  readonly #dependencies: unknown;
  #known: string | undefined;
  readonly #stored: ReadonlyMap<string, Uint8Array>;
  readonly #writing: Promise<KeptBytes | null>[] = [];

  /** @param dependencies everything that parts depend on besides picture and variant; as JSON */
  constructor(original: Raster, dependencies: unknown, variants: KeptVariants, stored: readonly KeptBytes[]) {
    this.variants = variants;
    this.#original = original;
    this.#dependencies = dependencies;
    this.#stored = new Map(stored.map(({ variant, bytes }) => [variant, bytes]));
  }

  /** New parts, to be stored. They are compressed on other threads. */
  async written(): Promise<readonly KeptBytes[]> {
    return (await Promise.all(this.#writing)).filter((part) => part !== null);
  }

  background(): BackgroundPart | null {
    const { background: variant } = this.variants;
    const stored = variant && this.#stored.get(variant);
    if (!stored) return null;
    // Bytes of another length are damaged.
    const key = JSON.stringify([this.#fingerprint, variant, stored.length]);
    const last = lastBackground.find(key);
    if (last) return last.value;
    const part = this.#read<BackgroundPart>(variant, ({ roles, picture }) => ({
      roles,
      picture: this.#unpack(picture),
    }));
    if (part) lastBackground.keep(this.#original, key, part);
    return part;
  }

  faces(): FacesPart | null {
    return this.#read<FacesPart>(this.variants.faces, (part) => ({
      ...part,
      patches: part.patches.map((patch) => patch && { ...patch, restored: this.#unpack(patch.restored, patch.at) }),
    }));
  }

  keepBackground({ roles, picture }: BackgroundPart): void {
    this.#write(this.variants.background, async () => ({ roles, picture: await this.#pack(picture) }));
  }

  keepFaces(part: FacesPart): void {
    this.#write(this.variants.faces, async () => {
      const packed = await Promise.all(part.patches.map((patch) => patch && this.#pack(patch.restored, patch.at)));
      const patches = part.patches.map((patch, index) => patch && { ...patch, restored: packed[index] });
      return { ...part, patches };
    });
  }

  /**
   * Everything a part depends on besides its variant. 12 megapixels take 25 ms: needed at the start only where there are
   * parts of earlier runs.
   */
  get #fingerprint(): string {
    const { width, height, data } = this.#original;
    const key = JSON.stringify([width, height, this.#dependencies]);
    this.#known ??= createHash('sha256').update(key).update(data).digest('hex');
    return this.#known;
  }

  #write(variant: string | null, pack: () => Promise<unknown>): void {
    if (!variant) return;
    const write = async () => {
      const part = await pack();
      const bytes = serialize({ fingerprint: this.#fingerprint, part });
      return bytes.length <= MAX_BYTES ? { variant, bytes } : null;
    };
    const writing = write();
    // A run that fails meanwhile does not wait for it.
    writing.catch(() => undefined);
    this.#writing.push(writing);
  }

  /** Null for a missing, damaged, foreign or outdated part. */
  #read<Part>(variant: string | null, unpack: (part: Part) => Part): Part | null {
    const bytes = variant && this.#stored.get(variant);
    if (!bytes) return null;
    try {
      const { fingerprint, part } = deserialize(bytes) as { fingerprint: string; part: Part };
      return fingerprint === this.#fingerprint ? unpack(part) : null;
    } catch {
      return null;
    }
  }

  #under({ width, height }: Raster, at?: Box): Uint8Array {
    if (at) return crop(this.#original, at).data;
    const isWhole = width === this.#original.width && height === this.#original.height;
    return isWhole ? this.#original.data : new Uint8Array(width * height * 3);
  }

  /** Reads the pixels before it returns. */
  async #pack(raster: Raster, at?: Box): Promise<Raster> {
    return { ...raster, data: await compress(differenceOf(raster.data, this.#under(raster, at))) };
  }

  #unpack(packed: Raster, at?: Box): Raster {
    const data = this.#under(packed, at);
    const sum = decompress(packed.data, data.length);
    addTo(sum, data);
    return { ...packed, data: sum };
  }
}

const PIECE = 1 << 16;

export function differenceOf(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const difference = Uint8Array.from(one);
  combine(difference, other, kernels.subtractBytes);
  return difference;
}

export const addTo = (target: Uint8Array, other: Uint8Array): void => combine(target, other, kernels.addBytes);

function combine(
  target: Uint8Array,
  other: Uint8Array,
  kernel: (source: number, target: number, count: number) => void,
): void {
  withKernels(() => {
    const [source, result] = [reserve(PIECE), reserve(PIECE)];
    for (let start = 0; start < target.length; start += PIECE) {
      const end = Math.min(target.length, start + PIECE);
      heap.bytes.set(other.subarray(start, end), source);
      heap.bytes.set(target.subarray(start, end), result);
      kernel(source, result, end - start);
      target.set(bytesAt(result, end - start), start);
    }
  });
}
