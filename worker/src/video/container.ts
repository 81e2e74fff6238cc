import { open } from 'node:fs/promises';

export type VideoContentType = 'video/mp4' | 'video/quicktime';

/** Brands of still pictures in the same container. */
const PICTURES = /^(?:avif|avis|heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;
/** Boxes that QuickTime files of before 2001 begin with. */
const QUICKTIME_START = /^(?:moov|mdat|wide|free|skip|pnot)$/;
const HEAD = 64;
/** Size and type of a box; a size of 1 is followed by one of 64 bits. */
const BOX_HEAD = 16;
/** Boxes of frames and, in a fragmented file, of their index. */
const FRAMES = /^(?:mdat|moof)$/;
/** Fragments of a video have two each. */
const MAX_BOXES = 10_000;

/** Read from the first box of the file; null for any other format. */
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

/** Whether the file ends within its frames, as after an incomplete download or copy. */
export async function isCutOff(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size: end } = await file.stat();
    const head = Buffer.alloc(BOX_HEAD);
    for (let [at, boxes] = [0, 0]; at < end && boxes < MAX_BOXES; boxes++) {
      const { bytesRead } = await file.read(head, 0, BOX_HEAD, at);
      if (bytesRead < 8) return false;
      const size = head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
      // 0: up to the end of the file.
      if (size < 8) return false;
      at += size;
      if (at > end) return FRAMES.test(head.toString('latin1', 4, 8));
    }
    return false;
  } finally {
    await file.close();
  }
}
