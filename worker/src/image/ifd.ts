/** An entry of an image file directory (IFD), the table of TIFF files and EXIF blocks. Little-endian. */
export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  /** Number of values, not bytes. */
  readonly count: number;
  readonly value: Buffer;
}

/** Bytes per value (TIFF 6.0, section 2; type 13 from its supplement 1, 16 of BigTIFF). */
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
  16: 8,
};
/** Rationals are two numbers of four bytes. */
const swapUnit = (type: number): number => (type === RATIONAL || type === 10 ? 4 : (TYPE_SIZES[type] ?? 1));

const BYTE = 1;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
export const UNDEFINED = 7;
const IFD = 13;
const LONG8 = 16;
const WHOLE_NUMBERS: readonly number[] = [BYTE, SHORT, LONG, IFD, LONG8];

/** No known writer makes more; damaged tables claim thousands. */
const MAX_ENTRIES = 512;

export type ByteOrder = 'little' | 'big';

interface TiffHeader {
  readonly order: ByteOrder;
  /** BigTIFF: offsets and counts have eight bytes. */
  readonly isBig: boolean;
  readonly firstIfd: number;
}

/** Null for other structures. */
export function readTiffHeader(bytes: Buffer): TiffHeader | null {
  const mark = bytes.toString('latin1', 0, 2);
  if (bytes.length < 8 || (mark !== 'II' && mark !== 'MM')) return null;
  const order: ByteOrder = mark === 'II' ? 'little' : 'big';
  const version = numberAt(bytes, 2, 2, order);
  if (version === 42) return { order, isBig: false, firstIfd: numberAt(bytes, 4, 4, order) };
  return version === 43 && bytes.length >= 16 ? { order, isBig: true, firstIfd: numberAt(bytes, 8, 8, order) } : null;
}

function numberAt(bytes: Buffer, at: number, size: number, order: ByteOrder): number {
  if (size === 8) return Number(order === 'little' ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return order === 'little' ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

interface StoredEntry extends IfdEntry {
  /** Position of the value. */
  readonly at: number;
}

/** Entries that point outside `bytes` or exceed `maxValueBytes` are dropped. */
export function readIfd(
  bytes: Buffer,
  { order, isBig }: TiffHeader,
  offset: number,
  maxValueBytes: number,
): StoredEntry[] {
  const { first, count, entryBytes, wide } = tableAt(bytes, { order, isBig }, offset);
  const read = (at: number, size: number) => numberAt(bytes, at, size, order);
  const entries: StoredEntry[] = [];
  for (let index = 0; index < Math.min(count, MAX_ENTRIES); index++) {
    const entry = first + index * entryBytes;
    if (entry + entryBytes > bytes.length) break;
    const type = read(entry + 2, 2);
    const values = read(entry + 4, wide);
    const size = (TYPE_SIZES[type] ?? 0) * values;
    if (size === 0 || size > maxValueBytes) continue;
    const at = size <= wide ? entry + 4 + wide : read(entry + 4 + wide, wide);
    if (at + size > bytes.length) continue;
    const value = Buffer.from(bytes.subarray(at, at + size));
    if (order === 'big') swap(value, swapUnit(type));
    entries.push({ tag: read(entry, 2), type, count: values, value, at });
  }
  return entries;
}

/** Whether the table of the first directory is inside the file. */
export function isFirstIfdInside(bytes: Buffer, header: TiffHeader): boolean {
  const { first, count, entryBytes } = tableAt(bytes, header, header.firstIfd);
  return count > 0 && first + count * entryBytes <= bytes.length;
}

function tableAt(bytes: Buffer, { order, isBig }: Pick<TiffHeader, 'order' | 'isBig'>, offset: number) {
  const [countBytes, entryBytes, wide] = isBig ? [8, 20, 8] : [2, 12, 4];
  const isInside = offset >= 8 && offset + countBytes <= bytes.length;
  const count = isInside ? numberAt(bytes, offset, countBytes, order) : 0;
  return { first: offset + countBytes, count, entryBytes, wide };
}

function swap(value: Buffer, unit: number): void {
  if (unit === 2) value.swap16();
  else if (unit === 4) value.swap32();
  else if (unit === 8) value.swap64();
}

/** Whole numbers of an entry; none if it is absent or of another type. */
export function numbersIn(entries: readonly IfdEntry[], tag: number): number[] {
  const entry = entries.find((candidate) => candidate.tag === tag);
  if (!entry || !WHOLE_NUMBERS.includes(entry.type)) return [];
  const { count, value } = entry;
  const size = value.length / count;
  return Array.from({ length: count }, (_, index) => numberAt(value, index * size, size, 'little'));
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

const INCHES = 2;
/** 72 dpi, replaced by EXIF's. */
export const SCREEN_RESOLUTION: readonly IfdEntry[] = [
  ...[282, 283].map((tag) => ({ tag, type: RATIONAL, count: 1, value: Buffer.from([72, 0, 0, 0, 1, 0, 0, 0]) })),
  shortEntry(296, INCHES),
];

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
