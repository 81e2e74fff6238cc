/** Index of a table by the next 16 bits: length of the code and value. */
export type Huffman = Uint16Array;

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
