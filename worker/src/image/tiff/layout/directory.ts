import type { ByteOrder } from '../../metadata/ifd.js';

/** BYTE, SHORT, LONG, IFD, LONG8. */
const NUMBER_SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8 };
const RATIONAL = 5;
const RATIONAL_BYTES = 8;
const LONG = 4;
const LONG_BYTES = 4;

/** 100 megapixels in tiles of 16 x 16 pixels have 400,000 in each plane. */
const MAX_VALUES = 4_000_000;

/** The first directory of a classic TIFF or BigTIFF. */
export interface TiffDirectory {
  readonly order: ByteOrder;
  readonly isBig: boolean;
  readonly entries: ReadonlyMap<number, Buffer>;
  /** Numbers of an entry, none for one of another type; null for an absent one, or one outside the file. */
  readonly numbers: (tag: number) => readonly number[] | null;
  /** Position of an entry's first value, 0 for an absent one. */
  readonly valueAt: (tag: number) => number;
}

/** Null for a directory outside the file. */
export function readDirectory(file: Buffer): TiffDirectory | null {
  const order: ByteOrder = file.toString('latin1', 0, 2) === 'II' ? 'little' : 'big';
  const read = (at: number, size: number): number => numberAt(file, at, size, order);
  const isBig = file.length >= 16 && read(2, 2) === 43;
  const { wide, countBytes, entryBytes } = sizesOf(isBig);
  if (file.length < 4 + wide) return null;
  const at = read(isBig ? 8 : 4, wide);
  if (at + countBytes > file.length) return null;
  const count = read(at, countBytes);
  if (at + countBytes + count * entryBytes > file.length) return null;
  const entries = new Map<number, Buffer>();
  for (let index = 0; index < count; index++) {
    const from = at + countBytes + index * entryBytes;
    entries.set(read(from, 2), file.subarray(from, from + entryBytes));
  }
  const placeOf = (entry: Buffer) => {
    const inEntry = (offset: number, bytes: number) => numberAt(entry, offset, bytes, order);
    const type = inEntry(2, 2);
    const size = type === RATIONAL ? RATIONAL_BYTES : (NUMBER_SIZES[type] ?? 0);
    const values = inEntry(4, wide);
    const own = entry.byteOffset - file.byteOffset;
    return { type, size, values, from: values * size <= wide ? own + 4 + wide : inEntry(4 + wide, wide) };
  };
  return {
    order,
    isBig,
    entries,
    numbers: (tag) => {
      const entry = entries.get(tag);
      if (!entry) return null;
      const { type, from, size, values } = placeOf(entry);
      if (size === 0 || type === RATIONAL) return [];
      if (values > MAX_VALUES || from + values * size > file.length) return null;
      return Array.from({ length: values }, (_, value) => read(from + value * size, size));
    },
    valueAt: (tag) => {
      const entry = entries.get(tag);
      return entry ? placeOf(entry).from : 0;
    },
  };
}

/**
 * The file with a new directory at its end, in which `changes` replace entries; an empty list removes one.
 * @param data precedes the directory; `changes` gets the position of each part
 */
export function rewriteDirectory(
  file: Buffer,
  { order, isBig, entries }: TiffDirectory,
  data: readonly Buffer[],
  changes: (offsets: readonly number[]) => ReadonlyMap<number, readonly number[]>,
): Buffer {
  const { wide, countBytes, entryBytes } = sizesOf(isBig);
  const parts: Buffer[] = [];
  let end = 0;
  const append = (bytes: Buffer): number => {
    const at = end;
    // TIFF 6.0, section 2: values begin at even positions.
    parts.push(bytes, Buffer.alloc(bytes.length % 2));
    end += bytes.length + (bytes.length % 2);
    return at;
  };
  append(file);
  const offsets = data.map(append);
  const written = new Map(entries);
  for (const [tag, numbers] of changes(offsets)) {
    if (numbers.length === 0) {
      written.delete(tag);
      continue;
    }
    const values = Buffer.alloc(numbers.length * LONG_BYTES);
    numbers.forEach((value, index) => {
      writeNumber(values, value, index * LONG_BYTES, LONG_BYTES, order);
    });
    const entry = Buffer.alloc(entryBytes);
    writeNumber(entry, tag, 0, 2, order);
    writeNumber(entry, LONG, 2, 2, order);
    writeNumber(entry, numbers.length, 4, wide, order);
    if (values.length <= wide) values.copy(entry, 4 + wide);
    else writeNumber(entry, append(values), 4 + wide, wide, order);
    written.set(tag, entry);
  }
  const table = Buffer.alloc(countBytes + written.size * entryBytes + wide);
  writeNumber(table, written.size, 0, countBytes, order);
  [...written]
    .sort(([one], [other]) => one - other)
    .forEach(([, entry], index) => {
      entry.copy(table, countBytes + index * entryBytes);
    });
  const directoryAt = append(table);
  const result = Buffer.concat(parts);
  writeNumber(result, directoryAt, isBig ? 8 : 4, wide, order);
  return result;
}

/** Bytes of offsets and counts, of the number of entries, and of an entry. */
const sizesOf = (isBig: boolean) => ({ wide: isBig ? 8 : 4, countBytes: isBig ? 8 : 2, entryBytes: isBig ? 20 : 12 });

function numberAt(bytes: Buffer, at: number, size: number, order: ByteOrder): number {
  if (size === 8) return Number(order === 'little' ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return order === 'little' ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

function writeNumber(bytes: Buffer, value: number, at: number, size: number, order: ByteOrder): void {
  if (size === 8) {
    if (order === 'little') bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeBigUInt64BE(BigInt(value), at);
  } else if (order === 'little') bytes.writeUIntLE(value, at, size);
  else bytes.writeUIntBE(value, at, size);
}
