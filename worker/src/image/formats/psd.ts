import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { openCmyk } from '../cmyk.js';
import { InvalidImageError } from '../errors.js';
import { parseExif } from '../exif.js';
import { bytesEntry, type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from '../ifd.js';
import { READING } from '../libvips.js';
import { readStart } from '../with-file.js';
import { openingByMagick } from './fallback.js';
import { type ImageFormat, type OpenedImage, usableRgbProfile } from './format.js';
import { PSD_HEADER_BYTES, type PsdLayout, readPsdHeader, readPsdLayout } from './psd-layout.js';

export const psd: ImageFormat = {
  accepts: ['image/vnd.adobe.photoshop'],
  probe: async ({ path }) => {
    const header = readPsdHeader(await readStart(path, PSD_HEADER_BYTES));
    if (!header) throw new InvalidImageError('uploads.undecodable');
    const { width, height, bitsPerSample } = header;
    const flattened = openingByMagick(path, 'PSD');
    const open = async () => openPsd(await readFile(path), flattened);
    return { width, height, isDeep: bitsPerSample > 8, isWhole: true, open };
  },
};

/**
 * Opens the merged picture, or the layers of a document without one.
 * @param openLayers opens these
 * @throws InvalidImageError if neither is possible
 */
async function openPsd(file: Buffer, openLayers: () => Promise<OpenedImage>): Promise<OpenedImage> {
  const layout = readPsdLayout(file);
  if (layout && !layout.hasMergedPicture) {
    const flattened = await openLayers().catch((cause) => {
      throw new InvalidImageError('uploads.layers_only', { cause });
    });
    return { ...flattened, exif: layout.exif && parseExif(layout.exif) };
  }
  const tiff = layout && psdAsTiff(file, layout);
  if (!layout || !tiff) throw new InvalidImageError('uploads.undecodable');
  const { mode, bitsPerSample } = layout.header;
  const exif = layout.exif && parseExif(layout.exif);
  if (mode === 'cmyk') {
    const isDeep = bitsPerSample === 16;
    const options = { isInverted: true, hasAlpha: layout.hasTransparency, icc: layout.icc };
    const image = await openCmyk(sharp(tiff, { ...READING, ignoreIcc: true }), isDeep, options);
    return { image, icc: null, exif, isMattedWithWhite: layout.hasTransparency };
  }
  if (mode === 'lab') return { image: sharp(tiff, { ...READING, ignoreIcc: true }), icc: null, exif, isLab: true };
  const icc = mode === 'rgb' ? usableRgbProfile(layout.icc ?? undefined) : null;
  const isFloat = bitsPerSample === 32;
  // A profile would turn floats of gray black.
  const image = sharp(tiff, { ...READING, ignoreIcc: icc !== null || isFloat });
  const opened = { image, icc, exif, isMattedWithWhite: layout.hasTransparency };
  if (mode !== 'gray' || !isFloat) return opened;
  return { ...opened, floats: { colors: 1, isLinear: true, hasAlpha: layout.hasTransparency } };
}

const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, separated: 5 } as const;
const UNCOMPRESSED = 1;
const PACK_BITS = 32_773;
const CONTIGUOUS = 1;
const PLANAR = 2;
const IEEE_FLOAT = 3;
const UNASSOCIATED_ALPHA = 2;

interface Colors {
  readonly photometric: number;
  readonly channels: number;
  /** 32 bits: linear light in floating point. */
  readonly bits: readonly number[];
}

const COLORS: Readonly<Record<NonNullable<PsdLayout['header']['mode']>, Colors>> = {
  bitmap: { photometric: PHOTOMETRIC.whiteIsZero, channels: 1, bits: [1] },
  gray: { photometric: PHOTOMETRIC.blackIsZero, channels: 1, bits: [8, 16, 32] },
  indexed: { photometric: PHOTOMETRIC.palette, channels: 1, bits: [8] },
  rgb: { photometric: PHOTOMETRIC.rgb, channels: 3, bits: [8, 16, 32] },
  cmyk: { photometric: PHOTOMETRIC.separated, channels: 4, bits: [8, 16] },
  // libvips reads only some Lab; converted later.
  lab: { photometric: PHOTOMETRIC.rgb, channels: 3, bits: [8, 16] },
};

/**
 * Converts a Photoshop document to a TIFF without touching samples. The merged picture is big-endian, plane by plane,
 * raw or in PackBits rows, as TIFF allows: a TIFF header replaces the first 8 bytes, and a directory at the end points
 * to the rows. libvips then decodes it off the event loop, in any depth and with bounded memory.
 * @returns null for ZIP-coded documents
 * @throws RangeError for rows outside the file
 */
function psdAsTiff(document: Buffer, layout: PsdLayout): Buffer | null {
  const { header, hasTransparency } = layout;
  const colors = header.mode && COLORS[header.mode];
  if (!colors || header.channels < colors.channels || !colors.bits.includes(header.bitsPerSample)) return null;
  const hasAlpha = hasTransparency && header.channels > colors.channels;
  const planes = colors.channels + (hasAlpha ? 1 : 0);
  const rows = rowsOf(document, layout, planes);
  if (!rows) return null;

  const entries: IfdEntry[] = [
    longEntry(256, header.width),
    longEntry(257, header.height),
    shortsEntry(258, new Array<number>(planes).fill(header.bitsPerSample)),
    shortEntry(259, rows.compression),
    shortEntry(262, colors.photometric),
    longsEntry(273, rows.offsets),
    shortEntry(277, planes),
    longEntry(278, 1),
    longsEntry(279, rows.lengths),
    // libvips inverts bitmaps only without a planar configuration.
    shortEntry(284, planes === 1 ? CONTIGUOUS : PLANAR),
  ];
  if (header.mode === 'indexed') entries.push(paletteEntry(layout.palette));
  if (hasAlpha) entries.push(shortEntry(338, UNASSOCIATED_ALPHA));
  if (header.bitsPerSample === 32) entries.push(shortsEntry(339, new Array<number>(planes).fill(IEEE_FLOAT)));
  if (layout.icc) entries.push(bytesEntry(34_675, 7, layout.icc));

  const padding = Buffer.alloc(document.length % 2);
  const firstIfd = document.length + padding.length;
  const tiff = Buffer.concat([document, padding, writeIfd(entries, firstIfd, 'big')]);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(firstIfd, 4);
  return tiff;
}

interface Rows {
  readonly compression: number;
  readonly offsets: number[];
  readonly lengths: number[];
}

function rowsOf(document: Buffer, { header, dataOffset }: PsdLayout, planes: number): Rows | null {
  const compression = document.readUInt16BE(dataOffset);
  const start = dataOffset + 2;
  if (compression === 0) {
    const length = Math.ceil((header.width * header.bitsPerSample) / 8);
    // libvips mixes longer strips of two planes.
    const offsets = Array.from({ length: planes * header.height }, (_, row) => start + row * length);
    requireInside(document, start + planes * header.height * length);
    return { compression: UNCOMPRESSED, offsets, lengths: offsets.map(() => length) };
  }
  if (compression !== 1) return null;
  // The lengths of all rows precede the rows.
  const width = header.isLarge ? 4 : 2;
  const wanted = header.height * planes;
  const lengths = Array.from({ length: wanted }, (_, row) => document.readUIntBE(start + row * width, width));
  let next = start + header.height * header.channels * width;
  const offsets = lengths.map((length) => {
    const offset = next;
    next += length;
    return offset;
  });
  requireInside(document, next);
  return { compression: PACK_BITS, offsets, lengths };
}

function requireInside(document: Buffer, end: number): void {
  if (end > document.length) throw new RangeError('the merged picture ends after the file');
}

/** TIFF palettes have 16 bits, Photoshop's 8; reds come first in both. */
const paletteEntry = (palette: Buffer): IfdEntry =>
  shortsEntry(
    320,
    Array.from({ length: 768 }, (_, index) => (palette[index] ?? 0) * 257),
  );
