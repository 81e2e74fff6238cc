import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const unpack = promisify(inflate);

/** Rows of a channel, unpacked one at a time. */
export interface ChannelRows {
  readonly rowBytes: number;
  readonly read: (row: number, into: Buffer) => void;
}

const COMPRESSION = { raw: 0, packBits: 1, zip: 2, zipWithPrediction: 3 } as const;

/** Whether {@link openChannel} unpacks the whole channel. */
export const isUnpackedAtOnce = (data: Buffer): boolean =>
  data.length >= 2 && [COMPRESSION.zip, COMPRESSION.zipWithPrediction].some((zip) => zip === data.readUInt16BE(0));

/**
 * 'Channel image data'.
 * @throws Error for damaged data
 */
export async function openChannel(
  data: Buffer,
  {
    width,
    height,
    bytesPerSample,
    isLarge,
  }: { width: number; height: number; bytesPerSample: number; isLarge: boolean },
): Promise<ChannelRows> {
  const rowBytes = width * bytesPerSample;
  const compression = data.readUInt16BE(0);
  if (compression === COMPRESSION.packBits) return packBitsRows(data, rowBytes, height, isLarge);
  const isPredicted = compression === COMPRESSION.zipWithPrediction;
  if (compression > COMPRESSION.zipWithPrediction) throw new Error('unknown compression of a layer');
  const rows =
    compression === COMPRESSION.raw
      ? data.subarray(2)
      : await unpack(data.subarray(2), { maxOutputLength: Math.max(1, rowBytes * height) });
  if (rows.length < rowBytes * height) throw new RangeError('a layer ends too early');
  return {
    rowBytes,
    read: (row, into) => {
      rows.copy(into, 0, row * rowBytes, (row + 1) * rowBytes);
      if (isPredicted) undoDifferences(into, rowBytes, bytesPerSample);
    },
  };
}

function undoDifferences(row: Buffer, rowBytes: number, bytesPerSample: number): void {
  if (bytesPerSample === 1) {
    for (let at = 1; at < rowBytes; at++) row[at] = (row[at] ?? 0) + (row[at - 1] ?? 0);
    return;
  }
  for (let at = 2; at < rowBytes; at += 2) {
    row.writeUInt16BE((row.readUInt16BE(at) + row.readUInt16BE(at - 2)) & 0xffff, at);
  }
}

function packBitsRows(data: Buffer, rowBytes: number, height: number, isLarge: boolean): ChannelRows {
  // The lengths of all rows precede the rows.
  const wide = isLarge ? 4 : 2;
  const offsets = new Float64Array(height + 1);
  offsets[0] = 2 + height * wide;
  for (let row = 0; row < height; row++) {
    const length = isLarge ? data.readUInt32BE(2 + row * wide) : data.readUInt16BE(2 + row * wide);
    offsets[row + 1] = (offsets[row] ?? 0) + length;
  }
  if ((offsets[height] ?? 0) > data.length) throw new RangeError('a layer ends too early');
  return { rowBytes, read: (row, into) => unpackBits(data, offsets[row] ?? 0, offsets[row + 1] ?? 0, into, rowBytes) };
}

function unpackBits(data: Buffer, from: number, end: number, into: Buffer, rowBytes: number): void {
  let to = 0;
  for (let at = from; at < end && to < rowBytes; ) {
    const control = data.readInt8(at++);
    if (control === -128) continue;
    const count = Math.min(control < 0 ? 1 - control : control + 1, rowBytes - to);
    if (control < 0) {
      into.fill(data[at++] ?? 0, to, to + count);
    } else {
      data.copy(into, to, at, at + count);
      at += control + 1;
    }
    to += count;
  }
  if (to < rowBytes) throw new RangeError('a row of a layer ends too early');
}
