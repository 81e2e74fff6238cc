import { type ExifSize, pixelsPerInchOf, serializeExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import {
  alphaOf,
  colorPlanes,
  type Layer,
  type LayeredPicture,
  type LayeredRows,
  layerInfo,
  layersOf,
  lengthField,
  type Part,
  type RowFormat,
  rowLengths,
  sized,
  totalBytes,
  uint32,
  writePlanes,
} from './photoshop-layers.js';

/** A larger picture needs version 2 (PSB): Adobe Photoshop File Formats Specification, 'File Header Section'. */
const MAX_SIDE = 30_000;
const RGB_MODE = 3;
/** 'Image Resource IDs'. */
const RESOURCE = { resolution: 1005, icc: 1039, exif: 1058, xmp: 1060 } as const;
const SCREEN_PIXELS_PER_INCH = 72;

/**
 * A Photoshop document with the layers "Original" and, above it and masked, "Restored", and with their merged picture.
 * @returns the number of its bytes
 */
export async function writePhotoshop(path: string, picture: LayeredPicture, metadata: FileMetadata): Promise<number> {
  const format = { isPacked: true, isLarge: Math.max(picture.width, picture.height) > MAX_SIDE };
  const { layers, restored, alpha } = layersOf(picture.hasAlpha);
  // Photoshop's transparent merged pictures lie on white.
  const merged = picture.hasAlpha ? [...colorPlanes(onWhite), ...alpha] : restored;
  const planes = [...new Set([...layers.flatMap(({ channels }) => channels.map(([, plane]) => plane)), ...merged])];
  return writePlanes(path, picture, planes, format, () => [
    header(picture, merged.length, format),
    uint32(0),
    sized(resources(picture, metadata)),
    ...layerSection(layers, picture, format),
    rowLengths(merged, format),
    ...merged,
  ]);
}

function onWhite(rows: LayeredRows): Uint8Array {
  const alpha = alphaOf(rows);
  return rows.restored.map((value, at) => {
    const opacity = alpha[Math.floor(at / 3)] as number;
    return Math.round((value * opacity) / 255 + 255 - opacity);
  });
}

function header({ width, height }: ExifSize, channels: number, { isLarge }: RowFormat): Buffer {
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

/** 'Layer and Mask Information Section'. */
function layerSection(layers: readonly Layer[], size: ExifSize, format: RowFormat): Part[] {
  const info = layerInfo(layers, size, format);
  const length = totalBytes(info);
  const padding = Buffer.alloc(length % 2);
  const masks = uint32(0);
  const lengthBytes = format.isLarge ? 8 : 4;
  return [
    lengthField(lengthBytes + length + padding.length + masks.length, format),
    lengthField(length + padding.length, format),
    ...info,
    padding,
    masks,
  ];
}
