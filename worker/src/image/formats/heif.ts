import { type FileHandle, readFile } from 'node:fs/promises';
import { IMAGE_LIMITS } from '@clearframe/contract/media';
import sharp from 'sharp';
import { type CodedColor, profileOfCode } from '../cicp.js';
import { InvalidImageError } from '../errors.js';
import { readStart, withFile } from '../with-file.js';
import { openingHevc } from './fallback.js';
import { colorPolicy, exifOf, type ImageFormat, readHeader, sizeOf } from './format.js';

/** AVIF by libvips, whose libheif lacks HEVC: that is read by libheif in WebAssembly. */
export const heif: ImageFormat = {
  accepts: ['image/heic', 'image/heif', 'image/avif'],
  probe: async ({ path, contentType }) => {
    const source = contentType === 'image/avif' && (await isSequence(path)) ? stillOf(await readFile(path)) : path;
    const boxes = await withFile(path, readBoxes);
    const header = await readHeader(source, 'heif').catch((error) => {
      // libheif refuses the header of a very large picture.
      const isLarge = boxes.pixels > IMAGE_LIMITS.maxPixels;
      throw isLarge ? new InvalidImageError('uploads.too_many_pixels', { cause: error }) : error;
    });
    const { isWhole, isNarrowGray, isPremultiplied } = boxes;
    const { icc, reading } = colorPolicy(
      header,
      header.icc ?? (boxes.color && profileOfCode(boxes.color)) ?? undefined,
    );
    const more = { icc, exif: exifOf(header), isNarrowGray, isPremultiplied };
    const page = header.pagePrimary ?? 0;
    const open = header.compression === 'hevc' ? openingHevc(path) : async () => sharp(source, { ...reading, page });
    return { ...sizeOf(header), isWhole, open: async () => ({ image: await open(), ...more }) };
  },
};

/** libvips rejects animated AVIF. */
const SEQUENCE_BRAND = 'avis';
const STILL_BRAND = 'avif';
const BRAND_AT = 8;

const isSequence = async (path: string): Promise<boolean> =>
  (await readStart(path, BRAND_AT + SEQUENCE_BRAND.length)).toString('latin1', BRAND_AT) === SEQUENCE_BRAND;

/** An animated AVIF also has its first frame as a still picture. */
function stillOf(file: Buffer): Buffer {
  file.write(STILL_BRAND, BRAND_AT, 'latin1');
  return file;
}

/** No still picture has more. */
const MAX_BOXES = 1_000;
/** No picture's description is longer. */
const MAX_META_BYTES = 4_000_000;

interface IsobmffProperties {
  /** Every top-level box ends inside the file. Decoders notice truncation only in data they read. */
  readonly isWhole: boolean;
  readonly color: CodedColor | null;
  /** Gray with black at 16 and white at 235 (of 255), which libheif takes for 0 and 255. */
  readonly isNarrowGray: boolean;
  /** Colors are multiplied by the transparency, which libheif leaves as they are. */
  readonly isPremultiplied: boolean;
  /** Declared size of the largest picture; 0 if unknown. */
  readonly pixels: number;
}

type Description = Omit<IsobmffProperties, 'isWhole'>;

async function readBoxes(file: FileHandle): Promise<IsobmffProperties> {
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  let described: Description = { color: null, isNarrowGray: false, isPremultiplied: false, pixels: 0 };
  let at = 0;
  for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
    const { bytesRead } = await file.read(head, 0, head.length, at);
    if (bytesRead < 8) return { isWhole: false, ...described };
    const short = head.readUInt32BE(0);
    // 1: length in the 8 bytes after the type (ISO/IEC 14496-12, 4.2).
    if (short === 1 && bytesRead < 16) return { isWhole: false, ...described };
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (head.toString('latin1', 4, 8) === 'meta' && length > 8 && length <= MAX_META_BYTES && at + length <= size) {
      const meta = Buffer.alloc(length);
      await file.read(meta, 0, length, at);
      if (!described.color) described = descriptionIn(meta);
    }
    // 0: to the end of the file. Trailing bytes that form no box are not truncation.
    if (length < 8) return { isWhole: true, ...described };
    at += length;
  }
  return { isWhole: at <= size, ...described };
}

/** Four bytes of version and flags precede the contents of 'meta' and 'iref'. */
const META_CONTENTS_AT = 12;
const PROPERTIES = [
  { type: 'iprp', from: META_CONTENTS_AT },
  { type: 'ipco', from: 8 },
] as const;

function descriptionIn(meta: Buffer): Description {
  let boxes = [meta];
  for (const { type, from } of PROPERTIES) boxes = boxes.flatMap((box) => childrenOf(box, type, from));
  const properties = (type: string) => boxes.flatMap((box) => childrenOf(box, type, 8));
  const coded = properties('colr').find((box) => box.length >= 19 && box.toString('latin1', 8, 12) === 'nclx');
  const settings = properties('av1C');
  const isFull = coded ? isFullRange(coded) : settings.every((box) => !isNarrowStill(box.subarray(AV1_OBUS_AT)));
  return {
    color: coded ? { primaries: coded.readUInt16BE(12), transfer: coded.readUInt16BE(14) } : null,
    isNarrowGray: !isFull && isMonochrome(settings),
    isPremultiplied: childrenOf(meta, 'iref', META_CONTENTS_AT).some(
      (box) => childrenOf(box, 'prem', META_CONTENTS_AT).length > 0,
    ),
    // Four bytes of version and flags precede width and height.
    pixels: properties('ispe')
      .filter((box) => box.length >= 20)
      .reduce((most, box) => Math.max(most, box.readUInt32BE(12) * box.readUInt32BE(16)), 0),
  };
}

/** ISO/IEC 23008-12, 'nclx': the top bit after three code points. */
const isFullRange = (coded: Buffer): boolean => (coded.readUInt8(18) & 0x80) !== 0;

/** In 'av1C', after its length, type and four bytes of settings (AV1 in ISOBMFF, 2.3). */
const AV1_OBUS_AT = 12;

/** A bit of the third byte. Transparency is always monochrome, so every picture must be. */
const isMonochrome = (settings: readonly Buffer[]): boolean =>
  settings.length > 0 && settings.every((box) => box.length >= 11 && (box.readUInt8(10) & 0x10) !== 0);

function childrenOf(box: Buffer, type: string, from: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = from; at + 8 <= box.length; ) {
    const length = box.readUInt32BE(at);
    if (length < 8) break;
    if (box.toString('latin1', at + 4, at + 8) === type) found.push(box.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** Sequence header, with a length (AV1, 5.3.2). */
const OBU_SEQUENCE_HEADER = 0x0a;

/**
 * Whether a monochrome still picture has black at 16 and white at 235 of 255.
 * @param obus from 'av1C'
 * @returns false for anything but the reduced header of a monochrome still picture (AV1, 5.5.1 and 5.5.2)
 */
export function isNarrowStill(obus: Buffer): boolean {
  if (obus.length < 3 || obus[0] !== OBU_SEQUENCE_HEADER) return false;
  const read = bitReader(obus.subarray(2));
  const profile = read(3);
  read(1);
  const isReduced = read(1) === 1;
  if (!isReduced) return false;
  read(5);
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  read(widthBits);
  read(heightBits);
  // Six switches of coding tools.
  read(6);
  const isDeep = read(1) === 1;
  if (profile === 2 && isDeep) read(1);
  const isMonochrome = profile !== 1 && read(1) === 1;
  if (!isMonochrome) return false;
  const hasCodes = read(1) === 1;
  // Primaries, transfer, matrix.
  if (hasCodes) read(24);
  return read(1) === 0;
}

/** Reads bits from the most significant on; beyond the end they are 1. */
function bitReader(bytes: Buffer): (bits: number) => number {
  let at = 0;
  return (bits) => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0xff) >> (7 - (at & 7))) & 1);
    return value;
  };
}
