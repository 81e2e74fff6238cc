import { open } from 'node:fs/promises';

export type VideoContentType = 'video/mp4' | 'video/quicktime';

/** Brands of still pictures in the same container. */
const PICTURES = /^(?:avif|avis|heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;
/** Boxes that QuickTime files of before 2001 begin with. */
const QUICKTIME_START = /^(?:moov|mdat|wide|free|skip|pnot)$/;
const HEAD = 64;

/** By the first box of the file; null for any other format. */
export async function sniffVideo(path: string): Promise<VideoContentType | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (bytesRead < 8) return null;
    const type = buffer.toString('latin1', 4, 8);
    if (type !== 'ftyp') return QUICKTIME_START.test(type) ? 'video/quicktime' : null;
    const brand = buffer.toString('latin1', 8, 12);
    if (PICTURES.test(brand)) return null;
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
  } finally {
    await file.close();
  }
}
