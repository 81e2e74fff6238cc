import {
  type ByteOrder,
  type IfdEntry,
  longEntry,
  numbersIn,
  readIfd,
  readTiffHeader,
  shortEntry,
  writeIfd,
} from './ifd.js';

export interface Exif {
  /** Camera, date, author. */
  readonly image: readonly IfdEntry[];
  /** Exposure. */
  readonly photo: readonly IfdEntry[];
  /** Location; written only at the user's request. */
  readonly gps: readonly IfdEntry[];
}

const TAG = {
  orientation: 0x0112,
  resolution: 0x011a,
  resolutionUnit: 0x0128,
  photoIfd: 0x8769,
  gpsIfd: 0x8825,
  makerNote: 0x927c,
  interopIfd: 0xa005,
  pixelWidth: 0xa002,
  pixelHeight: 0xa003,
  padding: 0xea1c,
} as const;

/**
 * Tags about the picture, not its file (strips, compression, sample format). In Exif 3.0: ImageDescription, Make,
 * Model, XResolution, YResolution, ResolutionUnit, Software, DateTime, Artist, HostComputer, Rating, RatingPercent,
 * Copyright, XPTitle, XPComment, XPAuthor, XPKeywords, XPSubject.
 */
const DESCRIPTIVE_TAGS = new Set([
  0x010e, 0x010f, 0x0110, 0x011a, 0x011b, 0x0128, 0x0131, 0x0132, 0x013b, 0x013c, 0x4746, 0x4749, 0x8298, 0x9c9b,
  0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
]);

/**
 * A maker note has absolute offsets and may contain previews of the unedited picture; the others point to dropped
 * directories or are padding.
 */
const DROPPED_PHOTO_TAGS = new Set<number>([
  TAG.makerNote,
  TAG.interopIfd,
  TAG.padding,
  TAG.pixelWidth,
  TAG.pixelHeight,
]);

/** A JPEG's EXIF segment has at most 65,533 bytes; one value may take half. */
const MAX_VALUE_BYTES = 32_000;
const MAX_BLOCK_BYTES = 65_000;

const EXIF_PREAMBLE = Buffer.from('Exif\0\0', 'latin1');

/**
 * Reads an EXIF block, with or without `Exif\0\0`, or a classic TIFF file. Null for unreadable EXIF, which is ignored.
 */
export function parseExif(block: Buffer): Exif | null {
  const bytes = block.subarray(0, 6).equals(EXIF_PREAMBLE) ? block.subarray(6) : block;
  const header = readTiffHeader(bytes);
  if (!header) return null;
  const first = readIfd(bytes, header, header.firstIfd, MAX_VALUE_BYTES);
  const child = (tag: number): IfdEntry[] =>
    unique(readIfd(bytes, header, numbersIn(first, tag)[0] ?? 0, MAX_VALUE_BYTES));
  const exif: Exif = {
    image: unique(first).filter(({ tag }) => DESCRIPTIVE_TAGS.has(tag)),
    photo: child(TAG.photoIfd).filter(({ tag }) => !DROPPED_PHOTO_TAGS.has(tag)),
    gps: child(TAG.gpsIfd),
  };
  return exif.image.length + exif.photo.length + exif.gps.length > 0 ? exif : null;
}

const unique = (entries: readonly IfdEntry[]): IfdEntry[] => [
  ...new Map(entries.map((entry) => [entry.tag, entry])).values(),
];

export interface ExifSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Child directories at the file offset `base`, and entries of the first directory. Orientation is 1 because it is
 * applied; the size is the result's; there is no thumbnail.
 */
export function layOutExif(
  exif: Exif,
  size: ExifSize,
  base: number,
  order: ByteOrder = 'little',
): { children: Buffer; entries: IfdEntry[] } {
  const photo = writeIfd(
    [...exif.photo, longEntry(TAG.pixelWidth, size.width), longEntry(TAG.pixelHeight, size.height)],
    base,
    order,
  );
  const entries = [...exif.image, shortEntry(TAG.orientation, 1), longEntry(TAG.photoIfd, base)];
  if (exif.gps.length === 0) return { children: photo, entries };
  const gpsBase = base + photo.length;
  return {
    children: Buffer.concat([photo, writeIfd(exif.gps, gpsBase, order)]),
    entries: [...entries, longEntry(TAG.gpsIfd, gpsBase)],
  };
}

/** A block for JPEG (after the preamble) and PNG (`eXIf`); null if too long. */
export function serializeExif(exif: Exif, size: ExifSize): Buffer | null {
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  // The first directory's length does not depend on offsets: laid out once to measure.
  const draft = writeIfd(layOutExif(exif, size, 0).entries, header.length);
  const { children, entries } = layOutExif(exif, size, header.length + draft.length);
  const block = Buffer.concat([header, writeIfd(entries, header.length), children]);
  return block.length <= MAX_BLOCK_BYTES ? block : null;
}

const CENTIMETERS = 3;
/** Of the 16 bits that Photoshop has. */
const MAX_PIXELS_PER_INCH = 32_767;

/** The horizontal resolution; null if it is absent, zero or without a unit of length. */
export function pixelsPerInchOf({ image }: Exif): number | null {
  const value = image.find(({ tag }) => tag === TAG.resolution)?.value;
  if (value?.length !== 8) return null;
  const [unit = 2] = numbersIn(image, TAG.resolutionUnit);
  const number = value.readUInt32LE(0) / value.readUInt32LE(4);
  const perInch = unit === CENTIMETERS ? 2.54 * number : number;
  return unit > 1 && perInch >= 1 && perInch <= MAX_PIXELS_PER_INCH ? perInch : null;
}

export const withoutLocation = (exif: Exif): Exif => ({ ...exif, gps: [] });
