import type { ImageContentType } from './types.js';

/** First bytes of formats that need no more. */
const SIGNATURES: readonly (readonly [string, ImageContentType])[] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['8BPS', 'image/vnd.adobe.photoshop'],
];

/** Classic TIFF and BigTIFF, in both byte orders. */
const TIFF_SIGNATURES = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];

/** ISO/IEC 23008-12, annex E, and AV1 Image File Format, section 6. */
const BRANDS: Readonly<Record<string, ImageContentType>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  hevm: 'image/heic',
  hevs: 'image/heic',
  mif1: 'image/heif',
  mif2: 'image/heif',
  mif3: 'image/heif',
  msf1: 'image/heif',
  miaf: 'image/heif',
};
/** Major brands of videos, which may list a picture's among the compatible ones. */
const VIDEO_BRAND = /^(?:iso.|mp4.|M4V|qt|avc1|3g|dash|MSNV|F4)/i;
/** More compatible brands than any writer lists. */
const MAX_BRANDS = 64;

/**
 * Accepted picture format of a file that begins with `start`, which need not be whole; null for any other. Libraries take TIFF
 * of 28 entries, or with an entry about printing, for raw photographs, and HEIF of rarer brands for videos.
 */
export function pictureTypeOf(start: Uint8Array): ImageContentType | null {
  const text = latin1(start, 0, 16);
  const signature = SIGNATURES.find(([bytes]) => text.startsWith(bytes));
  if (signature) return signature[1];
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  if (TIFF_SIGNATURES.includes(text.slice(0, 4))) return isRawPhoto(start) ? null : 'image/tiff';
  return text.startsWith('ftyp', 4) ? typeOfBrands(start) : null;
}

/** The major brand decides, else the first known of the compatible ones. */
function typeOfBrands(start: Uint8Array): ImageContentType | null {
  if (VIDEO_BRAND.test(latin1(start, 8, 4))) return null;
  const length = Math.min(view(start).getUint32(0), start.length, 16 + 4 * MAX_BRANDS);
  for (let at = 8; at + 4 <= length; at += 4) {
    const type = BRANDS[latin1(start, at, 4)];
    if (type) return type;
  }
  return null;
}

const TAG = { subfileType: 254, subIfds: 330, dngVersion: 50_706 } as const;
const REDUCED_PICTURE = 1;
const ENTRY_BYTES = 12;
/** Follows Canon's own header. */
const CR2_DIRECTORY = 16;

/**
 * Raw photographs are TIFF files whose first picture is a small preview. False where `start` ends before the directory.
 */
function isRawPhoto(start: Uint8Array): boolean {
  const bytes = view(start);
  const isLittle = latin1(start, 0, 2) === 'II';
  if (start.length < 10 || bytes.getUint16(2, isLittle) !== 42) return false;
  const directory = bytes.getUint32(4, isLittle);
  if (directory === CR2_DIRECTORY && latin1(start, 8, 2) === 'CR') return true;
  if (directory + 2 > start.length) return false;
  const entries = new Map<number, number>();
  for (let index = 0; index < bytes.getUint16(directory, isLittle); index++) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > start.length) break;
    entries.set(bytes.getUint16(at, isLittle), bytes.getUint32(at + 8, isLittle));
  }
  return entries.has(TAG.dngVersion) || (entries.get(TAG.subfileType) === REDUCED_PICTURE && entries.has(TAG.subIfds));
}

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

const latin1 = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));
