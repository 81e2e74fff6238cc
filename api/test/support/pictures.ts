import { randomBytes } from 'node:crypto';

/** Noise without the markers of a JPEG, one of which could name a size. */
const noise = (size: number): Buffer => randomBytes(size).map((value) => Math.min(value, 0xfe)) as Buffer;

/** `api` detects types and sizes by the first bytes and decodes nothing: a real header followed by noise. */
const begin = (start: Buffer | string, size: number): Buffer => {
  const head = typeof start === 'string' ? Buffer.from(start, 'latin1') : start;
  return Buffer.concat([head, noise(Math.max(0, size - head.length))]);
};

const box = (brand: string): string => `\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mif1`;
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73', 'hex');
const PNG_DATA = Buffer.from('0000100049444154', 'hex');

export const picture = {
  jpeg: (size = 6_000): Buffer => begin('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0', size),
  png: (size = 6_000): Buffer => begin(Buffer.concat([PNG_HEAD, PNG_DATA]), size),
  webp: (size = 6_000): Buffer => begin('RIFF\0\x10\0\0WEBPVP8 \0\x10\0\0\x10\0\0\x9d\x01\x2a\x40\0\x40\0', size),
  heic: (size = 6_000): Buffer => begin(box('heic'), size),
  heif: (size = 6_000): Buffer => begin(box('mif1'), size),
  avif: (size = 6_000): Buffer => begin(box('avif'), size),
  psd: (size = 6_000): Buffer => begin('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x40\0\0\0\x40\0\x08\0\x03', size),
  /** A profile longer than `SNIFFED_BYTES` precedes the pixels. */
  pngWithLongProfile: (): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(20_000);
    return Buffer.concat([PNG_HEAD, length, Buffer.from('iCCP'), Buffer.alloc(20_004, 7), PNG_DATA]);
  },
  /** Little-endian, with the directory at the end of the file, as most writers do. */
  tiff: (size = 60_000): Buffer => {
    const file = begin('II*\0', size);
    const directory = size - 6;
    file.writeUInt32LE(directory, 4);
    file.fill(0, directory);
    return file;
  },
} as const;

/** A PNG whose header says so; there are no such pixels. */
export function pngOf(width: number, height: number): Buffer {
  const file = picture.png();
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

/** A mask by its header; there are no such pixels. */
export function maskOf(width: number, height: number, { bits = 8, colorType = 0 } = {}): Buffer {
  const file = pngOf(width, height);
  file.set([bits, colorType], 24);
  return file;
}

/** Starts like a video of the type; `size` bytes in all. */
export const video = {
  mp4: (size = 9_000): Buffer => begin(box('isom'), size),
  m4v: (size = 9_000): Buffer => begin(box('M4V '), size),
  threeGp: (brand: string): Buffer => begin(box(brand), 9_000),
  mov: (size = 9_000): Buffer => begin('\0\0\0\x14ftypqt  \0\0\0\0qt  ', size),
  /** The format of old cameras, without brands. */
  plainMov: (size = 9_000): Buffer => begin('\0\0\0\x08wide\0\0\x20\0mdat', size),
} as const;

export const notVideos = {
  playlist: Buffer.from('#EXTM3U\n#EXT-X-MEDIA-TYPE:VOD\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  concat: Buffer.from("ffconcat version 1.0\nfile 'canary_neighbor.mp4'\n"),
  heic: begin(box('heic'), 9_000),
  avif: begin(box('avif'), 9_000),
  audio: begin(box('M4A '), 9_000),
  jpeg: begin('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 9_000),
  matroska: begin('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01matroska', 9_000),
} as const;

export const notPictures = {
  gif: begin('GIF89a\x01\0\x01\0\x80\0\0', 800),
  svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  html: Buffer.from('<!doctype html><html><body>hello</body></html>'),
  pdf: begin('%PDF-1.7\n', 9_000),
  playlist: Buffer.from('#EXTM3U\n#EXT-X-MEDIA-TYPE:VOD\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  mp4: begin(box('isom'), 9_000),
  text: Buffer.from('just words'),
  oneByte: Buffer.from([0xff]),
  noise: begin('\x01\x02\x03\x04', 9_000),
} as const;
