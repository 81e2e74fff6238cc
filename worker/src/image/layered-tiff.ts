import { profileEntries } from './attach-metadata.js';
import { type ExifSize, layOutExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import {
  type IfdEntry,
  longEntry,
  longsEntry,
  SCREEN_RESOLUTION,
  shortEntry,
  shortsEntry,
  UNDEFINED,
  writeIfd,
} from './ifd.js';
import {
  alphaOf,
  bytesOf,
  type Layer,
  type LayeredPicture,
  type LayeredRows,
  layerInfo,
  layersOf,
  mostPackedBytes,
  type Part,
  type Plane,
  planeOf,
  type RowFormat,
  totalBytes,
  uint32,
  writePlanes,
} from './photoshop-layers.js';

/** Adobe Photoshop TIFF Technical Notes (2002), 'ImageSourceData': the layers, in the byte order of the file. */
const IMAGE_SOURCE_DATA = 37_724;
const MARK = Buffer.from('Adobe Photoshop Document Data Block\0', 'latin1');

const HEADER_BYTES = 8;
const MAX_16_BITS = 0xffff;
/** Readers hold a strip. */
const STRIP_PIXELS = 65_536;
const UNCOMPRESSED = 1;
const PACK_BITS = 32_773;
const RGB = 2;
const CONTIGUOUS = 1;
const UNASSOCIATED_ALPHA = 2;

/**
 * A TIFF whose page is the result and that has, as Photoshop writes them, the layers "Original" and, above it and masked,
 * "Restored". Big-endian, like the layers of Photoshop documents.
 * @returns the number of its bytes
 */
export async function writeLayeredTiff(path: string, picture: LayeredPicture, metadata: FileMetadata): Promise<number> {
  // Layers of TIFF have no version 2, whose rows have wider lengths.
  const format = { isPacked: mostPackedBytes(picture.width) <= MAX_16_BITS, isLarge: false };
  const { layers } = layersOf(picture.hasAlpha);
  const page = picture.hasAlpha ? planeOf(withAlpha, 4) : planeOf((rows) => rows.restored, 3);
  const planes = [...layers.flatMap(({ channels }) => channels.map(([, plane]) => plane)), page];
  return writePlanes(path, picture, planes, format, () => {
    const source = sourceData(layers, picture, format);
    const pageAt = HEADER_BYTES + totalBytes(source);
    const end = pageAt + bytesOf(page);
    // Directories begin at an even offset.
    const padding = Buffer.alloc(end % 2);
    const base = end + padding.length;
    const exif = metadata.exif && layOutExif(metadata.exif, picture, base, 'big');
    const children = exif?.children ?? Buffer.alloc(0);
    const entries: IfdEntry[] = [
      ...SCREEN_RESOLUTION,
      ...(exif?.entries ?? []),
      ...pageEntries(page, pageAt, picture, format),
      { tag: IMAGE_SOURCE_DATA, type: UNDEFINED, count: totalBytes(source), value: uint32(HEADER_BYTES) },
      ...profileEntries(metadata),
    ];
    const unique = new Map(entries.map((entry) => [entry.tag, entry]));
    const firstIfd = base + children.length;
    const header = Buffer.concat([Buffer.from('MM\0*', 'latin1'), uint32(firstIfd)]);
    return [header, ...source, page, padding, children, writeIfd([...unique.values()], firstIfd, 'big')];
  });
}

function withAlpha(rows: LayeredRows): Uint8Array {
  const alpha = alphaOf(rows);
  const samples = new Uint8Array(4 * alpha.length);
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    samples.set(rows.restored.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
    samples[4 * pixel + 3] = alpha[pixel] as number;
  }
  return samples;
}

/** The value of the tag. */
function sourceData(layers: readonly Layer[], size: ExifSize, format: RowFormat): Part[] {
  const info = layerInfo(layers, size, format);
  const length = totalBytes(info);
  const padding = Buffer.alloc(-length & 3);
  return [MARK, Buffer.from('8BIMLayr', 'latin1'), uint32(length + padding.length), ...info, padding];
}

function pageEntries(page: Plane, start: number, { width, height }: ExifSize, { isPacked }: RowFormat): IfdEntry[] {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const [starts, lengths]: [number[], number[]] = [[], []];
  for (let row = 0, at = start; row < height; row += rows) {
    const length = page.lengths.slice(row, row + rows).reduce((sum, bytes) => sum + bytes, 0);
    starts.push(at);
    lengths.push(length);
    at += length;
  }
  const { samplesPerPixel } = page;
  return [
    longEntry(256, width),
    longEntry(257, height),
    shortsEntry(258, new Array<number>(samplesPerPixel).fill(8)),
    shortEntry(259, isPacked ? PACK_BITS : UNCOMPRESSED),
    shortEntry(262, RGB),
    longsEntry(273, starts),
    shortEntry(277, samplesPerPixel),
    longEntry(278, rows),
    longsEntry(279, lengths),
    shortEntry(284, CONTIGUOUS),
    ...(samplesPerPixel === 4 ? [shortEntry(338, UNASSOCIATED_ALPHA)] : []),
  ];
}
