import { open } from 'node:fs/promises';

/** Start of frame of a lossless JPEG with Huffman coding (ITU-T T.81, table B.1). */
const LOSSLESS = 0xc3;
/** Other frames, and markers without a frame's fields (DHT, JPG, DAC). */
const FRAMES = { first: 0xc0, last: 0xcf, without: [0xc4, 0xc8, 0xcc] } as const;
const [START_OF_SCAN, END_OF_IMAGE, FILL] = [0xda, 0xd9, 0xff];
/** Marker, length, precision, height, width, and three components of three bytes. */
const HEADER_BYTES = 19;
/** More than any file has before its frame. */
const MAX_SEGMENTS = 2_000;

export interface LosslessFrame {
  readonly width: number;
  readonly height: number;
}

/**
 * The frame of a lossless JPEG that libjpeg does not read, with other than 8 bits, or takes for RGB: components 1, 2 and 3,
 * which are YCbCr. Null for any other file.
 */
export async function rareLosslessFrame(path: string): Promise<LosslessFrame | null> {
  const file = await open(path);
  const head = Buffer.alloc(HEADER_BYTES);
  try {
    for (let at = 2, segments = 0; segments < MAX_SEGMENTS; segments++) {
      const { bytesRead } = await file.read(head, 0, HEADER_BYTES, at);
      const marker = head.readUInt8(1);
      if (bytesRead < 10 || head[0] !== FILL || marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
      if (marker === LOSSLESS)
        return isRare(head) ? { height: head.readUInt16BE(5), width: head.readUInt16BE(7) } : null;
      const isFrame = marker >= FRAMES.first && marker <= FRAMES.last;
      if (isFrame && !FRAMES.without.some((other) => other === marker)) return null;
      at += marker === FILL ? 1 : 2 + head.readUInt16BE(2);
    }
    return null;
  } finally {
    await file.close();
  }
}

const isRare = (head: Buffer): boolean =>
  head.readUInt8(4) !== 8 || (head.readUInt8(9) === 3 && [10, 13, 16].every((at, index) => head[at] === index + 1));
