import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from './ifd.js';
import { makeSamples, type Samples } from './picture.js';
import { withFile, writeAt } from './with-file.js';

export interface PixelLayout {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, and transparency. */
  readonly channels: 3 | 4;
  /** 16 bits a sample, in the order of this machine; else 8. */
  readonly isDeep: boolean;
}

/** Where rows of pixels come from: a file, or memory. */
export interface Rows {
  readonly layout: PixelLayout;
  /** Valid until the next call. */
  readonly rows: (first: number, count: number) => Samples | Promise<Samples>;
}

/** @param samples all of them */
export function rowsOf(layout: PixelLayout, samples: Samples): Rows {
  const length = layout.width * layout.channels;
  return { layout, rows: (first, count) => samples.subarray(first * length, (first + count) * length) };
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Samples): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** In bytes. */
export const rowBytesOf = ({ width, channels, isDeep }: PixelLayout): number => width * channels * (isDeep ? 2 : 1);

/** Of a file that libvips writes (vips_save), before its pixels, which follow in the order of memory. */
const VIPS_HEADER_BYTES = 64;

/**
 * A picture that may be larger than memory should hold: an uncompressed TIFF, which libvips reads a few rows at a time, with one
 * row after another.
 */
export class PixelFile implements Rows {
  /** Reused: memory that JavaScript allocates stays until the next garbage collection, up to 100 MB of strips. */
  #space: Samples = new Uint8Array();

  readonly path: string;
  readonly layout: PixelLayout;
  /** Of the first row, in bytes. */
  readonly offset: number;

  // No parameter properties: decoders load this file, in tests by stripping its types.
  private constructor(path: string, layout: PixelLayout, offset: number) {
    this.path = path;
    this.layout = layout;
    this.offset = offset;
  }

  /** @param strips whole rows, in order */
  static async write(
    path: string,
    layout: PixelLayout,
    strips: AsyncIterable<Samples> | Iterable<Samples>,
  ): Promise<PixelFile> {
    const file = await open(path, 'w');
    try {
      let end = TIFF_HEADER.length;
      for await (const strip of strips) {
        await writeAt(file, bytesOf(strip), end);
        end += strip.byteLength;
      }
      await declare(file, layout, TIFF_HEADER.length);
    } finally {
      await file.close();
    }
    return new PixelFile(path, layout, TIFF_HEADER.length);
  }

  /** Writes all pixels of an image, which has this layout but perhaps another size. */
  static async save(image: Sharp, path: string, form: Pick<PixelLayout, 'channels' | 'isDeep'>): Promise<PixelFile> {
    const vips = `${path}.v`;
    const { width, height } = await image.toFile(vips);
    const layout = { ...form, width, height };
    await withFile(vips, (file) => declare(file, layout, VIPS_HEADER_BYTES), 'r+');
    return new PixelFile(vips, layout, VIPS_HEADER_BYTES);
  }

  /**
   * A file of pixels that a process wrote which had opened an untrusted picture. What libvips would read beside its pixels is
   * written anew.
   * @throws Error unless it is a file with all pixels
   */
  static async adopt(path: string, layout: PixelLayout, offset: number): Promise<PixelFile> {
    const end = offset + layout.height * rowBytesOf(layout);
    const stats = await lstat(path);
    if (!stats.isFile() || offset < TIFF_HEADER.length || stats.size < end)
      throw new Error('the file of pixels is too short');
    await withFile(
      path,
      async (file) => {
        await file.truncate(end);
        await declare(file, layout, offset);
      },
      'r+',
    );
    return new PixelFile(path, layout, offset);
  }

  async rows(first: number, count: number): Promise<Samples> {
    const length = count * this.layout.width * this.layout.channels;
    if (this.#space.length < length) this.#space = makeSamples(this.layout.isDeep, length);
    const samples = this.#space.subarray(0, length);
    const bytes = bytesOf(samples);
    const start = this.offset + first * rowBytesOf(this.layout);
    await withFile(this.path, async (file) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw new Error('the file of pixels is too short');
        done += bytesRead;
      }
    });
    return samples;
  }
}

const TIFF_HEADER = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
/** libtiff holds one of them. */
const DECLARED_ROWS = 16;

/** Makes a TIFF of a file with pixels: a header in its first bytes, and a directory at its end. */
async function declare(file: FileHandle, layout: PixelLayout, offset: number): Promise<void> {
  const { height } = layout;
  const rowBytes = rowBytesOf(layout);
  const firsts = Array.from({ length: Math.ceil(height / DECLARED_ROWS) }, (_, index) => index * DECLARED_ROWS);
  const entries = [
    ...tiffEntries(layout, DECLARED_ROWS),
    shortEntry(259, 1),
    longsEntry(
      273,
      firsts.map((row) => offset + row * rowBytes),
    ),
    longsEntry(
      279,
      firsts.map((row) => Math.min(DECLARED_ROWS, height - row) * rowBytes),
    ),
  ];
  const { size } = await file.stat();
  await writeAt(file, ...tiffDirectory(entries, size));
  await writeAt(file, tiffHeader(size), 0);
}

/** TIFF with a directory at its end, which begins at an even offset. @param size of the file so far, in bytes */
const evenAfter = (size: number): number => size + (size % 2);

export const tiffDirectory = (entries: readonly IfdEntry[], size: number): [Buffer, number] => [
  writeIfd(entries, evenAfter(size)),
  evenAfter(size),
];

export function tiffHeader(size: number): Buffer {
  const header = Buffer.from(TIFF_HEADER);
  header.writeUInt32LE(evenAfter(size), 4);
  return header;
}

const UNASSOCIATED_ALPHA = 2;

/** All but compression and strips (TIFF 6.0, section 8). */
export const tiffEntries = ({ width, height, channels, isDeep }: PixelLayout, rowsPerStrip: number): IfdEntry[] => [
  longEntry(256, width),
  longEntry(257, height),
  shortsEntry(258, new Array<number>(channels).fill(isDeep ? 16 : 8)),
  shortEntry(262, 2),
  shortEntry(277, channels),
  longEntry(278, rowsPerStrip),
  shortEntry(284, 1),
  ...(channels === 4 ? [shortEntry(338, UNASSOCIATED_ALPHA)] : []),
];
