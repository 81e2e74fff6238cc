import { rewriteDirectory, type TiffDirectory } from '../layout/directory.js';
import { COMPRESSION, TAG, type TiffLayout } from '../layout/tiff-layout.js';

const CONTIGUOUS = 1;
const BLACK_IS_ZERO = 1;

export type Entry = readonly [tag: number, values: readonly number[]];

/** Entries for uncompressed samples, pixel by pixel, in one strip. */
export const contiguous = (
  { isTiled, height }: TiffLayout,
  offsets: readonly number[],
  length: number,
): Map<number, readonly number[]> => {
  const tiles = [TAG.tileWidth, TAG.tileHeight, TAG.tileOffsets, TAG.tileByteCounts];
  return new Map<number, readonly number[]>([
    ...(isTiled ? tiles.map((tag) => [tag, []] as const) : []),
    [TAG.compression, [COMPRESSION.none]],
    [TAG.planar, [CONTIGUOUS]],
    [TAG.stripOffsets, offsets],
    [TAG.rowsPerStrip, [height]],
    [TAG.stripByteCounts, [length]],
    [TAG.predictor, []],
  ]);
};

/**
 * A copy whose samples are a gray picture, which libtiff decodes and libvips leaves unconverted.
 * @param entries of the picture, in place of the file's
 */
export const asGray = (
  file: Buffer,
  directory: TiffDirectory,
  removed: readonly number[],
  entries: readonly Entry[],
): Buffer =>
  rewriteDirectory(
    file,
    directory,
    [],
    () =>
      new Map<number, readonly number[]>([
        ...[TAG.extraSamples, TAG.orientation, TAG.iccProfile, ...removed].map((tag): Entry => [tag, []]),
        [TAG.photometric, [BLACK_IS_ZERO]],
        [TAG.samplesPerPixel, [1]],
        [TAG.planar, [CONTIGUOUS]],
        ...entries,
      ]),
  );

/**
 * A copy with other strips or tiles.
 * @param chunks deflated
 * @param entries of the picture, in place of the file's
 */
export function withDeflatedChunks(
  file: Buffer,
  directory: TiffDirectory,
  { isTiled }: TiffLayout,
  chunks: readonly Buffer[],
  entries: readonly Entry[],
): Buffer {
  const lengths = chunks.map(({ length }) => length);
  return rewriteDirectory(
    file,
    directory,
    chunks,
    (offsets) =>
      new Map<number, readonly number[]>([
        [TAG.compression, [COMPRESSION.deflate]],
        [isTiled ? TAG.tileOffsets : TAG.stripOffsets, offsets],
        [isTiled ? TAG.tileByteCounts : TAG.stripByteCounts, lengths],
        ...entries,
      ]),
  );
}
