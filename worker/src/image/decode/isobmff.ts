import { open } from 'node:fs/promises';

/** More top-level boxes than any still picture has. */
const MAX_BOXES = 1_000;

/**
 * True when every top-level box of an ISO base media file (HEIC, HEIF, AVIF) ends within the file. Decoders only notice
 * a cut where it hits what they happen to read.
 */
export async function isWholeIsobmff(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
      const { bytesRead } = await file.read(head, 0, head.length, at);
      if (bytesRead < 8) return false;
      const short = head.readUInt32BE(0);
      // 0: up to the end of the file. 1: the length is in the 8 bytes after the type (ISO/IEC 14496-12, 4.2).
      if (short === 0) return true;
      if (short === 1 && bytesRead < 16) return false;
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // Bytes after the last box that form none are somebody's appendix, not a cut.
      if (length < 8) return true;
      at += length;
    }
    return at <= size;
  } finally {
    await file.close();
  }
}
