/** Index of a table by the next 16 bits: length of the code and value. */
export type Huffman = Uint16Array;

interface Segment {
  readonly marker: number;
  /** Without marker and length. */
  readonly segment: Buffer;
  readonly end: number;
}

/**
 * The marker segment at a place in the file, after bytes that fill (ITU-T T.81, B.1.1.4).
 * @throws RangeError
 */
export function readSegment(file: Buffer, start: number): Segment {
  if (file[start] !== 0xff) throw new RangeError('a marker is missing');
  let at = start;
  while (file[at + 1] === 0xff) at++;
  const end = at + 2 + file.readUInt16BE(at + 2);
  return { marker: file.readUInt8(at + 1), segment: file.subarray(at + 4, end), end };
}

/** The segment after DHT (ITU-T T.81, B.2.4.2). Keys are class and number, as stored: 0x10 is the first of class 1. */
export function readTables(segment: Buffer, tables: Map<number, Huffman>): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const table = new Uint16Array(65_536);
    let [code, value] = [0, at + 17];
    for (let length = 1; length <= 16; length++, code <<= 1) {
      for (let count = segment.readUInt8(at + length); count > 0; count--, code++) {
        const first = code << (16 - length);
        if (first >= table.length) throw new RangeError('a table has too many codes');
        table.fill((length << 8) | segment.readUInt8(value++), first, first + (1 << (16 - length)));
      }
    }
    tables.set(segment.readUInt8(at), table);
    at = value;
  }
}

const MARKER = { rst0: 0xd0, rst7: 0xd7, eoi: 0xd9 };

/** Restart intervals of a scan, without stuffed zeros. */
export function intervalsFrom(file: Buffer, start: number): { intervals: Buffer[]; end: number } {
  const intervals: Buffer[] = [];
  const bytes = Buffer.alloc(file.length - start);
  let [from, to, at] = [0, 0, start];
  for (; at < file.length; at++) {
    const [byte, next] = [file[at] ?? 0, file[at + 1] ?? MARKER.eoi];
    if (byte === 0xff && next === 0xff) continue;
    if (byte === 0xff && next >= MARKER.rst0 && next <= MARKER.rst7) {
      intervals.push(bytes.subarray(from, to));
      from = to;
      at++;
    } else if (byte === 0xff && next !== 0) break;
    else {
      bytes[to++] = byte;
      if (byte === 0xff) at++;
    }
  }
  return { intervals: [...intervals, bytes.subarray(from, to)], end: at };
}
