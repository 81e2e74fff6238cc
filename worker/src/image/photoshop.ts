import { type FileHandle, open } from 'node:fs/promises';
import { type ExifSize, pixelsPerInchOf, serializeExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';

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

/** A larger picture needs version 2 (PSB): Adobe Photoshop File Formats Specification, 'File Header Section'. */
const MAX_SIDE = 30_000;
const RLE = 1;
const RGB_MODE = 3;
/** 'Channel Information' of layer records. */
const CHANNEL = { red: 0, green: 1, blue: 2, transparency: -1, mask: -2 } as const;
/** 'Image Resource IDs'. */
const RESOURCE = { resolution: 1005, icc: 1039, exif: 1058, xmp: 1060 } as const;
const SCREEN_PIXELS_PER_INCH = 72;

/** The samples of a channel, whose packed rows are at one or more places of the file. */
interface Plane {
  readonly samplesOf: (rows: LayeredRows) => Uint8Array;
  /** Of each packed row. */
  readonly lengths: number[];
  /** Of the first row. */
  readonly places: number[];
}

interface Layer {
  readonly name: string;
  readonly channels: readonly (readonly [id: number, plane: Plane])[];
  readonly hasMask: boolean;
  /** Has the transparency of the layer below. */
  readonly isClipped: boolean;
}

/**
 * A Photoshop document with the layers "Original" and, above it and masked, "Restored", and with their merged picture. Rows
 * are packed twice, first for their lengths, which precede them: in memory are only some.
 * @returns the number of its bytes
 */
export async function writePhotoshop(path: string, picture: LayeredPicture, metadata: FileMetadata): Promise<number> {
  const isLarge = Math.max(picture.width, picture.height) > MAX_SIDE;
  const { layers, merged } = contentsOf(picture.hasAlpha);
  const planes = [...new Set([...layers.flatMap(({ channels }) => channels.map(([, plane]) => plane)), ...merged])];
  for await (const rows of picture.strips()) {
    for (const { samplesOf, lengths } of planes) {
      for (const length of packRows(samplesOf(rows), picture.width).lengths) lengths.push(length);
    }
  }

  const parts = [
    header(picture, merged.length, isLarge),
    uint32(0),
    sized(resources(picture, metadata)),
    ...layerSection(layers, picture, isLarge),
    rowLengths(merged, isLarge),
    ...merged,
  ];
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
        const { bytes } = packRows(plane.samplesOf(rows), picture.width);
        const done = written.get(plane) ?? 0;
        for (const place of plane.places) await writeAt(file, bytes, place + done);
        written.set(plane, done + bytes.length);
      }
    }
    if (planes.some((plane) => written.get(plane) !== packedBytes(plane))) throw new Error('the rows have changed');
    return end;
  } finally {
    await file.close();
  }
}

function contentsOf(hasAlpha: boolean): { layers: Layer[]; merged: Plane[] } {
  const plane = (samplesOf: Plane['samplesOf']): Plane => ({ samplesOf, lengths: [], places: [] });
  const colorsOf = (read: (rows: LayeredRows) => Uint8Array) =>
    [0, 1, 2].map((color) => plane((rows) => everyThird(read(rows), color)));
  const colorIds = [CHANNEL.red, CHANNEL.green, CHANNEL.blue];
  const original = colorsOf((rows) => rows.original);
  const restored = colorsOf((rows) => rows.restored);
  const alpha = hasAlpha ? [plane(alphaOf)] : [];
  const withIds = (colors: Plane[]) => colors.map((color, index) => [colorIds[index] as number, color] as const);
  const mask = plane((rows) => rows.mask);
  return {
    layers: [
      {
        name: 'Original',
        channels: [...alpha.map((one) => [CHANNEL.transparency, one] as const), ...withIds(original)],
        hasMask: false,
        isClipped: false,
      },
      {
        name: 'Restored',
        channels: [...withIds(restored), [CHANNEL.mask, mask]],
        hasMask: true,
        isClipped: hasAlpha,
      },
    ],
    // Photoshop's transparent merged pictures lie on white.
    merged: hasAlpha ? [...colorsOf(onWhite), ...alpha] : restored,
  };
}

function alphaOf({ alpha }: LayeredRows): Uint8Array {
  if (!alpha) throw new Error('expected rows with transparency');
  return alpha;
}

function onWhite(rows: LayeredRows): Uint8Array {
  const alpha = alphaOf(rows);
  return rows.restored.map((value, at) => {
    const opacity = alpha[Math.floor(at / 3)] as number;
    return Math.round((value * opacity) / 255 + 255 - opacity);
  });
}

function everyThird(colors: Uint8Array, first: number): Uint8Array {
  const samples = new Uint8Array(colors.length / 3);
  for (let at = 0, from = first; at < samples.length; at++, from += 3) samples[at] = colors[from] as number;
  return samples;
}

function header({ width, height }: ExifSize, channels: number, isLarge: boolean): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.write('8BPS', 'latin1');
  bytes.writeUInt16BE(isLarge ? 2 : 1, 4);
  bytes.writeUInt16BE(channels, 12);
  bytes.writeUInt32BE(height, 14);
  bytes.writeUInt32BE(width, 18);
  bytes.writeUInt16BE(8, 22);
  bytes.writeUInt16BE(RGB_MODE, 24);
  return bytes;
}

function resources(size: ExifSize, { icc, exif, xmp }: FileMetadata): Buffer {
  const block = exif && serializeExif(exif, size);
  const found: [number, Buffer | null][] = [
    [RESOURCE.resolution, resolution((exif && pixelsPerInchOf(exif)) ?? SCREEN_PIXELS_PER_INCH)],
    [RESOURCE.icc, icc],
    [RESOURCE.exif, block],
    [RESOURCE.xmp, xmp],
  ];
  return Buffer.concat(found.flatMap(([id, data]) => (data ? [resource(id, data)] : [])));
}

/** Without a name. */
const resource = (id: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('8BIM', 'latin1'),
    Buffer.from([id >> 8, id & 0xff, 0, 0]),
    sized(data),
    Buffer.alloc(data.length % 2),
  ]);

/** 'ResolutionInfo': fixed point of 16 bits, shown per inch, and sizes in inches. */
function resolution(pixelsPerInch: number): Buffer {
  const axis = Buffer.alloc(8);
  axis.writeUInt32BE(Math.round(pixelsPerInch * 0x1_0000), 0);
  axis.writeUInt16BE(1, 4);
  axis.writeUInt16BE(1, 6);
  return Buffer.concat([axis, axis]);
}

/** 'Layer and Mask Information Section', with the planes of layers in place of their bytes. */
function layerSection(layers: readonly Layer[], size: ExifSize, isLarge: boolean): (Buffer | Plane)[] {
  const count = Buffer.alloc(2);
  // Negative: the fourth channel of the merged picture is its transparency.
  count.writeInt16BE(layers.some(({ isClipped }) => isClipped) ? -layers.length : layers.length);
  const records = Buffer.concat([count, ...layers.map((layer) => layerRecord(layer, size, isLarge))]);
  const channels = layers.flatMap((layer) =>
    layer.channels.flatMap(([, plane]) => [rowLengths([plane], isLarge), plane]),
  );
  const length = [records, ...channels].reduce((sum, part) => sum + bytesOf(part), 0);
  const padding = Buffer.alloc(length % 2);
  const masks = uint32(0);
  const lengthBytes = isLarge ? 8 : 4;
  return [
    number(lengthBytes + length + padding.length + masks.length, isLarge),
    number(length + padding.length, isLarge),
    records,
    ...channels,
    padding,
    masks,
  ];
}

const CLIPPED = 1;
/** 'Bit 4 has useful information', which it has since Photoshop 5: the layer's pixels are relevant. */
const LAYER_FLAGS = 8;

function layerRecord({ name, channels, hasMask, isClipped }: Layer, size: ExifSize, isLarge: boolean): Buffer {
  const bounds = Buffer.concat([uint32(0), uint32(0), uint32(size.height), uint32(size.width)]);
  const count = Buffer.from([0, channels.length]);
  const infos = channels.map(([id, plane]) => {
    const start = Buffer.alloc(2);
    start.writeInt16BE(id);
    return Buffer.concat([start, number(bytesOf(rowLengths([plane], isLarge)) + packedBytes(plane), isLarge)]);
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

const packedBytes = ({ lengths }: Plane): number => lengths.reduce((sum, length) => sum + length, 0);
const bytesOf = (part: Buffer | Plane): number => ('places' in part ? packedBytes(part) : part.length);

/** The compression, and the lengths of the planes' rows. */
function rowLengths(planes: readonly Plane[], isLarge: boolean): Buffer {
  const lengths = planes.flatMap((plane) => plane.lengths);
  const wide = isLarge ? 4 : 2;
  const bytes = Buffer.alloc(2 + wide * lengths.length);
  bytes.writeUInt16BE(RLE);
  for (const [index, length] of lengths.entries()) bytes.writeUIntBE(length, 2 + wide * index, wide);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function number(value: number, isLarge: boolean): Buffer {
  return isLarge ? Buffer.concat([uint32(Math.floor(value / 2 ** 32)), uint32(value % 2 ** 32)]) : uint32(value);
}

const sized = (data: Buffer): Buffer => Buffer.concat([uint32(data.length), data]);

/** Samples that one step of PackBits counts. */
const MOST_COUNTED = 128;

/** PackBits (TIFF 6.0, section 9), row by row. */
function packRows(samples: Uint8Array, width: number): { bytes: Buffer; lengths: number[] } {
  const rows = samples.length / width;
  const bytes = Buffer.allocUnsafe(rows * (width + Math.ceil(width / MOST_COUNTED) + 1));
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

async function writeAt(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
