/** An entry of an image file directory (IFD), the table of TIFF files and EXIF blocks. Little-endian. */
export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  /** Number of values, not bytes. */
  readonly count: number;
  readonly value: Buffer;
}

/** Bytes per value (TIFF 6.0, section 2; type 13 from its supplement 1). */
const TYPE_SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
};
/** Rationals are two numbers of four bytes. */
const swapUnit = (type: number): number => (type === 5 || type === 10 ? 4 : (TYPE_SIZES[type] ?? 1));

export const SHORT = 3;
export const LONG = 4;
export const UNDEFINED = 7;

/** No known writer makes more; damaged tables claim thousands. */
const MAX_ENTRIES = 512;

export type ByteOrder = 'little' | 'big';

/** Null for other structures. */
export function readTiffHeader(bytes: Buffer): { order: ByteOrder; firstIfd: number } | null {
  if (bytes.length < 8) return null;
  const mark = bytes.toString('latin1', 0, 2);
  if (mark !== 'II' && mark !== 'MM') return null;
  const order: ByteOrder = mark === 'II' ? 'little' : 'big';
  if (readUInt16(bytes, 2, order) !== 42) return null;
  return { order, firstIfd: readUInt32(bytes, 4, order) };
}

const readUInt16 = (bytes: Buffer, at: number, order: ByteOrder): number =>
  order === 'little' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
const readUInt32 = (bytes: Buffer, at: number, order: ByteOrder): number =>
  order === 'little' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);

/** Entries that point outside `bytes` or exceed `maxValueBytes` are dropped. */
export function readIfd(bytes: Buffer, offset: number, order: ByteOrder, maxValueBytes: number): IfdEntry[] {
  if (offset < 8 || offset + 2 > bytes.length) return [];
  const count = Math.min(readUInt16(bytes, offset, order), MAX_ENTRIES);
  const entries: IfdEntry[] = [];
  for (let index = 0; index < count; index++) {
    const at = offset + 2 + index * 12;
    if (at + 12 > bytes.length) break;
    const type = readUInt16(bytes, at + 2, order);
    const values = readUInt32(bytes, at + 4, order);
    const size = (TYPE_SIZES[type] ?? 0) * values;
    if (size === 0 || size > maxValueBytes) continue;
    const from = size <= 4 ? at + 8 : readUInt32(bytes, at + 8, order);
    if (from + size > bytes.length) continue;
    const value = Buffer.from(bytes.subarray(from, from + size));
    if (order === 'big') swap(value, swapUnit(type));
    entries.push({ tag: readUInt16(bytes, at, order), type, count: values, value });
  }
  return entries;
}

function swap(value: Buffer, unit: number): void {
  if (unit === 2) value.swap16();
  else if (unit === 4) value.swap32();
  else if (unit === 8) value.swap64();
}

export function numberIn(entries: readonly IfdEntry[], tag: number): number | null {
  const entry = entries.find((candidate) => candidate.tag === tag);
  if (!entry) return null;
  if (entry.type === SHORT) return entry.value.readUInt16LE(0);
  if (entry.type === LONG || entry.type === 13) return entry.value.readUInt32LE(0);
  return null;
}

export function shortsEntry(tag: number, numbers: readonly number[]): IfdEntry {
  const value = Buffer.alloc(2 * numbers.length);
  numbers.forEach((number, index) => {
    value.writeUInt16LE(number, 2 * index);
  });
  return { tag, type: SHORT, count: numbers.length, value };
}

export function longsEntry(tag: number, numbers: readonly number[]): IfdEntry {
  const value = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => {
    value.writeUInt32LE(number, 4 * index);
  });
  return { tag, type: LONG, count: numbers.length, value };
}

export const shortEntry = (tag: number, number: number): IfdEntry => shortsEntry(tag, [number]);
export const longEntry = (tag: number, number: number): IfdEntry => longsEntry(tag, [number]);

export const bytesEntry = (tag: number, type: number, value: Buffer): IfdEntry => ({
  tag,
  type,
  count: value.length,
  value,
});

/**
 * A directory at the file offset `base`, its long values after the table. Tags must be unique and are sorted, as TIFF
 * requires. No next directory.
 */
export function writeIfd(entries: readonly IfdEntry[], base: number, order: ByteOrder = 'little'): Buffer {
  const sorted = [...entries].sort((a, b) => a.tag - b.tag);
  const table = Buffer.alloc(2 + sorted.length * 12 + 4);
  const write16 = (value: number, at: number) =>
    order === 'little' ? table.writeUInt16LE(value, at) : table.writeUInt16BE(value, at);
  const write32 = (value: number, at: number) =>
    order === 'little' ? table.writeUInt32LE(value, at) : table.writeUInt32BE(value, at);
  const values: Buffer[] = [];
  let next = base + table.length;
  write16(sorted.length, 0);
  sorted.forEach((entry, index) => {
    const at = 2 + index * 12;
    const value = order === 'little' ? entry.value : swapped(entry);
    write16(entry.tag, at);
    write16(entry.type, at + 2);
    write32(entry.count, at + 4);
    if (value.length <= 4) {
      value.copy(table, at + 8);
      return;
    }
    write32(next, at + 8);
    const padded = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.alloc(1)]);
    values.push(padded);
    next += padded.length;
  });
  return Buffer.concat([table, ...values]);
}

function swapped({ type, value }: IfdEntry): Buffer {
  const copy = Buffer.from(value);
  swap(copy, swapUnit(type));
  return copy;
}
