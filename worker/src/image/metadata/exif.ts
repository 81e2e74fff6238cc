import { type IfdEntry, longEntry, numberIn, readIfd, readTiffHeader, shortEntry, writeIfd } from './ifd.js';

/** The parts of an EXIF block that are carried over. */
export interface Exif {
  /** About the picture as a whole: camera, date, author. */
  readonly image: readonly IfdEntry[];
  /** About the exposure. */
  readonly photo: readonly IfdEntry[];
  /** Where it was taken. Written only when the user asked to keep it. */
  readonly gps: readonly IfdEntry[];
}

const TAG = {
  orientation: 0x0112,
  photoIfd: 0x8769,
  gpsIfd: 0x8825,
  makerNote: 0x927c,
  interopIfd: 0xa005,
  pixelWidth: 0xa002,
  pixelHeight: 0xa003,
  padding: 0xea1c,
} as const;

/**
 * Tags of the first directory that describe the picture rather than the file it came in. Everything else there
 * (strips, compression, sample format) belongs to the old bytes. Names as in Exif 3.0: ImageDescription, Make, Model,
 * XResolution, YResolution, ResolutionUnit, Software, DateTime, Artist, HostComputer, Rating, RatingPercent,
 * Copyright, XPTitle, XPComment, XPAuthor, XPKeywords, XPSubject.
 */
const DESCRIPTIVE_TAGS = new Set([
  0x010e, 0x010f, 0x0110, 0x011a, 0x011b, 0x0128, 0x0131, 0x0132, 0x013b, 0x013c, 0x4746, 0x4749, 0x8298, 0x9c9b,
  0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
]);

/**
 * Left out of the exposure data. A maker note is full of offsets that break when it is moved, and may hide previews
 * of the picture before it was edited; the others point at tables we do not carry or are filler.
 */
const DROPPED_PHOTO_TAGS = new Set<number>([
  TAG.makerNote,
  TAG.interopIfd,
  TAG.padding,
  TAG.pixelWidth,
  TAG.pixelHeight,
]);

/** A JPEG carries its EXIF in one segment of at most 65,533 bytes; one value may take half of it. */
const MAX_VALUE_BYTES = 32_000;
const MAX_BLOCK_BYTES = 65_000;

const EXIF_PREAMBLE = Buffer.from('Exif\0\0', 'latin1');

/**
 * Reads an EXIF block, with or without its `Exif\0\0` preamble, or the directories of a classic TIFF file.
 * Null where there is nothing readable: damaged EXIF never spoils a picture.
 */
export function parseExif(block: Buffer): Exif | null {
  const bytes = block.subarray(0, 6).equals(EXIF_PREAMBLE) ? block.subarray(6) : block;
  const header = readTiffHeader(bytes);
  if (!header) return null;
  const first = readIfd(bytes, header.firstIfd, header.order, MAX_VALUE_BYTES);
  const child = (tag: number): IfdEntry[] =>
    unique(readIfd(bytes, numberIn(first, tag) ?? 0, header.order, MAX_VALUE_BYTES));
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
 * The directories as they stand at `base` of some file, and the entries that go into its first directory. The
 * orientation is 1, since it has been baked in; the size is that of the result; there is no thumbnail.
 */
export function layOutExif(exif: Exif, size: ExifSize, base: number): { children: Buffer; entries: IfdEntry[] } {
  const photo = writeIfd(
    [...exif.photo, longEntry(TAG.pixelWidth, size.width), longEntry(TAG.pixelHeight, size.height)],
    base,
  );
  const entries = [...exif.image, shortEntry(TAG.orientation, 1), longEntry(TAG.photoIfd, base)];
  if (exif.gps.length === 0) return { children: photo, entries };
  const gpsBase = base + photo.length;
  return {
    children: Buffer.concat([photo, writeIfd(exif.gps, gpsBase)]),
    entries: [...entries, longEntry(TAG.gpsIfd, gpsBase)],
  };
}

/** A block of its own, as JPEG (after the preamble) and PNG (`eXIf`) hold it; null where it would not fit. */
export function serializeExif(exif: Exif, size: ExifSize): Buffer | null {
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  // The first directory's length does not depend on where its children are: lay out once to measure, once for real.
  const draft = writeIfd(layOutExif(exif, size, 0).entries, header.length);
  const { children, entries } = layOutExif(exif, size, header.length + draft.length);
  const block = Buffer.concat([header, writeIfd(entries, header.length), children]);
  return block.length <= MAX_BLOCK_BYTES ? block : null;
}

/** The same without the place where it was taken. */
export const withoutLocation = (exif: Exif): Exif => ({ ...exif, gps: [] });
