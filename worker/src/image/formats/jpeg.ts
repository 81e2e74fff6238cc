import { type FileHandle, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { withFile } from '../with-file.js';
import { openingByMagick } from './fallback.js';
import { colorPolicy, exifOf, type ImageFormat, readHeader, sizeOf } from './format.js';

export const jpeg: ImageFormat = {
  accepts: ['image/jpeg'],
  probe: async ({ path, sizeBytes }) => {
    const frame = await withFile(path, readJpegFrame);
    const isWhole = (frame?.leastBits ?? 0) <= sizeBytes * 8;
    if (frame?.isRare) {
      const { width, height } = frame;
      return { width, height, isDeep: false, isWhole, open: openingByMagick(path, 'JPEG') };
    }
    const header = await readHeader(path, 'jpeg');
    const { icc, reading } = colorPolicy(header);
    const exif = exifOf(header);
    const completions = async () => {
      const completed = completionsOf(await readFile(path));
      if (!completed) return null;
      const [withMarker, withFiller] = completed;
      return [
        sharp(withMarker, { ...reading, failOn: 'warning' }),
        sharp(withFiller, { ...reading, failOn: 'none' }),
      ] as const;
    };
    return {
      ...sizeOf(header),
      isWhole,
      open: async () => ({ image: sharp(path, reading), icc, exif, completions }),
    };
  },
};

/** Start of frame (ITU-T T.81, table B.1). */
const FRAME = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2, lossless: 0xc3 } as const;
/** Other frames, and markers without a frame's fields (DHT, JPG, DAC). */
const FRAMES = { first: 0xc0, last: 0xcf, without: [0xc4, 0xc8, 0xcc] } as const;
const [START_OF_SCAN, END_OF_IMAGE, FILL] = [0xda, 0xd9, 0xff];
/** Marker, length, precision, height, width, and four components of three bytes. */
const HEADER_BYTES = 22;
/** More than any file has before its frame. */
const MAX_SEGMENTS = 2_000;

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  /** libjpeg in libvips does not read it. */
  readonly isRare: boolean;
  /** Fewest bits in which blocks can be coded; 0 where it isn't known. */
  readonly leastBits: number;
}

/** Null where no frame precedes the data. */
async function readJpegFrame(file: FileHandle): Promise<JpegFrame | null> {
  const head = Buffer.alloc(HEADER_BYTES);
  for (let at = 2, segments = 0; segments < MAX_SEGMENTS; segments++) {
    const { bytesRead } = await file.read(head, 0, HEADER_BYTES, at);
    const marker = head.readUInt8(1);
    if (bytesRead < 10 || head[0] !== FILL || marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    const isFrame = marker >= FRAMES.first && marker <= FRAMES.last;
    if (isFrame && !FRAMES.without.some((other) => other === marker)) return frameOf(marker, head);
    at += marker === FILL ? 1 : 2 + head.readUInt16BE(2);
  }
  return null;
}

function frameOf(marker: number, head: Buffer): JpegFrame {
  const [height, width] = [head.readUInt16BE(5), head.readUInt16BE(7)];
  return { width, height, isRare: isRare(marker, head), leastBits: leastBitsOf(marker, head, width, height) };
}

/**
 * libjpeg lacks samples of 12 bits, and reads lossless JPEG with 8 bits only. There it takes components 1, 2 and 3 for RGB, which
 * are YCbCr.
 */
function isRare(marker: number, head: Buffer): boolean {
  const precision = head.readUInt8(4);
  if (marker === FRAME.extended || marker === FRAME.progressive) return precision === 12;
  if (marker !== FRAME.lossless) return false;
  const isYCbCr = head.readUInt8(9) === 3 && [10, 13, 16].every((at, index) => head[at] === index + 1);
  return precision !== 8 || isYCbCr;
}

const MAX_COMPONENTS = 4;

/** In Huffman code, a block has a code for its mean, and unless progressive another one for the rest. */
function leastBitsOf(marker: number, head: Buffer, width: number, height: number): number {
  if (marker > FRAME.progressive) return 0;
  const factors = Array.from({ length: Math.min(MAX_COMPONENTS, head.readUInt8(9)) }, (_, index) => {
    const value = head.readUInt8(11 + index * 3);
    return { across: value >> 4, down: value & 15 };
  });
  const [most, mostDown] = [Math.max(...factors.map((f) => f.across)), Math.max(...factors.map((f) => f.down))];
  if (factors.some(({ across, down }) => across === 0 || down === 0)) return 0;
  const blocks = factors.reduce(
    (sum, { across, down }) =>
      sum + Math.ceil((width * across) / (most * 8)) * Math.ceil((height * down) / (mostDown * 8)),
    0,
  );
  return blocks * (marker === FRAME.progressive ? 1 : 2);
}

const END_MARKER = Buffer.from([0xff, 0xd9]);
/** Some writers append bytes. */
const MAX_TAIL_BYTES = 1_024;
/** Bytes that are neither markers nor valid padding. */
const FILLER = Buffer.alloc(512, 0x55);

/**
 * Completions by the end marker, and by filler: if both decode alike, only the marker was missing. Null where it is
 * present.
 */
function completionsOf(file: Buffer): readonly [Buffer, Buffer] | null {
  if (file.includes(END_MARKER, Math.max(0, file.length - MAX_TAIL_BYTES))) return null;
  return [Buffer.concat([file, END_MARKER]), Buffer.concat([file, FILLER, END_MARKER])];
}
