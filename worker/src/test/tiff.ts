import { type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from '../image/ifd.js';

const HEADER_BYTES = 8;

interface TiffOptions {
  readonly width: number;
  readonly height: number;
  /** Null: the entry is missing. */
  readonly photometric: number | null;
  readonly bits: readonly number[];
  readonly compression?: number;
  readonly rowsPerStrip?: number;
  /** Side of square tiles instead of strips. */
  readonly tile?: number;
  readonly more?: readonly IfdEntry[];
}

/** A little-endian TIFF of `chunks`, its strips or tiles as stored. */
export function writeTiff(
  chunks: readonly Uint8Array[],
  { width, height, photometric, bits, compression = 1, rowsPerStrip = height, tile, more = [] }: TiffOptions,
): Buffer {
  const offsets: number[] = [];
  let at = HEADER_BYTES;
  const data = chunks.map((chunk) => {
    offsets.push(at);
    at += chunk.length + (chunk.length % 2);
    return Buffer.concat([chunk, Buffer.alloc(chunk.length % 2)]);
  });
  const lengths = chunks.map(({ length }) => length);
  const places = tile
    ? [longEntry(322, tile), longEntry(323, tile), longsEntry(324, offsets), longsEntry(325, lengths)]
    : [longsEntry(273, offsets), longEntry(278, rowsPerStrip), longsEntry(279, lengths)];
  const entries = [
    longEntry(256, width),
    longEntry(257, height),
    shortsEntry(258, bits),
    shortEntry(259, compression),
    ...(photometric === null ? [] : [shortEntry(262, photometric)]),
    shortEntry(277, bits.length),
    ...places,
    ...more,
  ];
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(at, 4);
  return Buffer.concat([header, ...data, writeIfd(entries, at)]);
}
