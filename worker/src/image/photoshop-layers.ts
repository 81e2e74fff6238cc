import { open } from 'node:fs/promises';
import type { ExifSize } from './exif.js';
import { writeAt } from './with-file.js';

/** Some rows of both layers, in 8 bits; colors are red, green and blue, interleaved. */
export interface LayeredRows {
  readonly original: Uint8Array;
  readonly restored: Uint8Array;
  /** Transparency of the picture; null: opaque. */
  readonly alpha: Uint8Array | null;
  /** Where `restored` covers `original`. */
  readonly mask: Uint8Array;
}

export interface LayeredPicture extends ExifSize {
  readonly hasAlpha: boolean;
  /** From the first row on, at each call. */
  readonly strips: () => AsyncIterable<LayeredRows>;
}

/** 'Channel Information' of layer records. */
const CHANNEL = { red: 0, green: 1, blue: 2, transparency: -1, mask: -2 } as const;
const RAW = 0;
const RLE = 1;

/** How rows are stored. */
export interface RowFormat {
  /** By PackBits. */
  readonly isPacked: boolean;
  /** Version 2 (PSB), which has wider lengths. */
  readonly isLarge: boolean;
}

/** Samples whose stored rows are at one or more places of the file: those of a channel, or interleaved ones. */
export interface Plane {
  readonly samplesPerPixel: number;
  readonly samplesOf: (rows: LayeredRows) => Uint8Array;
  /** Of each stored row. */
  readonly lengths: number[];
  /** Of the first row. */
  readonly places: number[];
}

export interface Layer {
  readonly name: string;
  readonly channels: readonly (readonly [id: number, plane: Plane])[];
  readonly hasMask: boolean;
  /** Has the transparency of the layer below. */
  readonly isClipped: boolean;
}

/** Bytes of a file, or the rows of a plane. */
export type Part = Buffer | Plane;

/** The layers "Original" and, above it and masked, "Restored"; and the planes of the colors of the latter and of transparency. */
export function layersOf(hasAlpha: boolean): { layers: Layer[]; restored: Plane[]; alpha: Plane[] } {
  const colorIds = [CHANNEL.red, CHANNEL.green, CHANNEL.blue];
  const original = colorPlanes((rows) => rows.original);
  const restored = colorPlanes((rows) => rows.restored);
  const alpha = hasAlpha ? [planeOf(alphaOf)] : [];
  const withIds = (colors: Plane[]) => colors.map((color, index) => [colorIds[index] as number, color] as const);
  const layers = [
    {
      name: 'Original',
      channels: [...alpha.map((one) => [CHANNEL.transparency, one] as const), ...withIds(original)],
      hasMask: false,
      isClipped: false,
    },
    {
      name: 'Restored',
      channels: [...withIds(restored), [CHANNEL.mask, planeOf((rows) => rows.mask)] as const],
      hasMask: true,
      isClipped: hasAlpha,
    },
  ];
  return { layers, restored, alpha };
}

export const planeOf = (samplesOf: Plane['samplesOf'], samplesPerPixel = 1): Plane => ({
  samplesPerPixel,
  samplesOf,
  lengths: [],
  places: [],
});

export const colorPlanes = (read: (rows: LayeredRows) => Uint8Array): Plane[] =>
  [0, 1, 2].map((color) => planeOf((rows) => everyThird(read(rows), color)));

export function alphaOf({ alpha }: LayeredRows): Uint8Array {
  if (!alpha) throw new Error('expected rows with transparency');
  return alpha;
}

function everyThird(colors: Uint8Array, first: number): Uint8Array {
  const samples = new Uint8Array(colors.length / 3);
  for (let at = 0, from = first; at < samples.length; at++, from += 3) samples[at] = colors[from] as number;
  return samples;
}

/**
 * Writes a file that has the rows of planes. They are packed twice, first for their lengths, which precede them: in memory are
 * only some.
 * @param layOut all of the file, once the lengths of rows are known
 * @returns the number of its bytes
 */
export async function writePlanes(
  path: string,
  picture: LayeredPicture,
  planes: readonly Plane[],
  { isPacked }: RowFormat,
  layOut: () => readonly Part[],
): Promise<number> {
  const stored = (plane: Plane, rows: LayeredRows) => {
    const samples = plane.samplesOf(rows);
    const width = plane.samplesPerPixel * picture.width;
    return isPacked ? packRows(samples, width) : rawRows(samples, width);
  };
  for await (const rows of picture.strips()) {
    for (const plane of planes) {
      for (const length of stored(plane, rows).lengths) plane.lengths.push(length);
    }
  }

  const parts = layOut();
  const file = await open(path, 'w');
  try {
    let end = 0;
    for (const part of parts) {
      if ('places' in part) part.places.push(end);
      else await writeAt(file, part, end);
      end += bytesOf(part);
    }
    const written = new Map(planes.map((plane) => [plane, 0]));
    for await (const rows of picture.strips()) {
      for (const plane of planes) {
        const { bytes } = stored(plane, rows);
        const done = written.get(plane) ?? 0;
        for (const place of plane.places) await writeAt(file, bytes, place + done);
        written.set(plane, done + bytes.length);
      }
    }
    if (planes.some((plane) => written.get(plane) !== bytesOf(plane))) throw new Error('the rows have changed');
    return end;
  } finally {
    await file.close();
  }
}

/** 'Layer Info' without its length. */
export function layerInfo(layers: readonly Layer[], size: ExifSize, format: RowFormat): Part[] {
  const count = Buffer.alloc(2);
  // Negative: the fourth channel of the merged picture is its transparency.
  count.writeInt16BE(layers.some(({ isClipped }) => isClipped) ? -layers.length : layers.length);
  const records = Buffer.concat([count, ...layers.map((layer) => layerRecord(layer, size, format))]);
  const channels = layers.flatMap((layer) =>
    layer.channels.flatMap(([, plane]) => [rowLengths([plane], format), plane]),
  );
  return [records, ...channels];
}

const CLIPPED = 1;
/** 'Bit 4 has useful information', which it has since Photoshop 5: the layer's pixels are relevant. */
const LAYER_FLAGS = 8;

function layerRecord({ name, channels, hasMask, isClipped }: Layer, size: ExifSize, format: RowFormat): Buffer {
  const bounds = Buffer.concat([uint32(0), uint32(0), uint32(size.height), uint32(size.width)]);
  const count = Buffer.from([0, channels.length]);
  const infos = channels.map(([id, plane]) => {
    const start = Buffer.alloc(2);
    start.writeInt16BE(id);
    return Buffer.concat([start, lengthField(bytesOf(rowLengths([plane], format)) + bytesOf(plane), format)]);
  });
  // Black outside its bounds, and two bytes of padding.
  const mask = hasMask ? Buffer.concat([bounds, Buffer.alloc(4)]) : Buffer.alloc(0);
  const pascal = Buffer.alloc(4 * Math.ceil((1 + name.length) / 4));
  pascal.writeUInt8(name.length);
  pascal.write(name, 1, 'latin1');
  const blendingRanges = Buffer.alloc(0);
  const opacity = 255;
  return Buffer.concat([
    bounds,
    count,
    ...infos,
    Buffer.from('8BIMnorm', 'latin1'),
    Buffer.from([opacity, isClipped ? CLIPPED : 0, LAYER_FLAGS, 0]),
    sized(Buffer.concat([sized(mask), sized(blendingRanges), pascal])),
  ]);
}

export const bytesOf = (part: Part): number =>
  'places' in part ? part.lengths.reduce((sum, length) => sum + length, 0) : part.length;

export const totalBytes = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + bytesOf(part), 0);

/** The compression and, of packed rows, their lengths. */
export function rowLengths(planes: readonly Plane[], { isPacked, isLarge }: RowFormat): Buffer {
  const lengths = isPacked ? planes.flatMap((plane) => plane.lengths) : [];
  const wide = isLarge ? 4 : 2;
  const bytes = Buffer.alloc(2 + wide * lengths.length);
  bytes.writeUInt16BE(isPacked ? RLE : RAW);
  for (const [index, length] of lengths.entries()) bytes.writeUIntBE(length, 2 + wide * index, wide);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A length, which has eight bytes in version 2. */
export function lengthField(value: number, { isLarge }: RowFormat): Buffer {
  return isLarge ? Buffer.concat([uint32(Math.floor(value / 2 ** 32)), uint32(value % 2 ** 32)]) : uint32(value);
}

export const sized = (data: Buffer): Buffer => Buffer.concat([uint32(data.length), data]);

const rawRows = (samples: Uint8Array, width: number): { bytes: Uint8Array; lengths: number[] } => ({
  bytes: samples,
  lengths: new Array<number>(samples.length / width).fill(width),
});

/** Samples that one step of PackBits counts. */
const MOST_COUNTED = 128;

/** Most bytes that a packed row of so many samples has. */
export const mostPackedBytes = (width: number): number => width + Math.ceil(width / MOST_COUNTED) + 1;

/** PackBits (TIFF 6.0, section 9), row by row. */
function packRows(samples: Uint8Array, width: number): { bytes: Buffer; lengths: number[] } {
  const rows = samples.length / width;
  const bytes = Buffer.allocUnsafe(rows * mostPackedBytes(width));
  const lengths: number[] = [];
  let to = 0;
  for (let row = 0; row < rows; row++) {
    const start = to;
    const end = (row + 1) * width;
    for (let from = row * width; from < end; ) {
      const value = samples[from] as number;
      const limit = Math.min(end, from + MOST_COUNTED);
      let next = from + 1;
      while (next < limit && samples[next] === value) next++;
      if (next - from > 2) {
        bytes[to++] = 257 - (next - from);
        bytes[to++] = value;
      } else {
        // Up to where three are equal.
        while (next < limit && !(samples[next] === samples[next + 1] && samples[next] === samples[next + 2])) next++;
        bytes[to++] = next - from - 1;
        bytes.set(samples.subarray(from, next), to);
        to += next - from;
      }
      from = next;
    }
    lengths.push(to - start);
  }
  return { bytes: bytes.subarray(0, to), lengths };
}
