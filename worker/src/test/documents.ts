import { initializeCanvas, type Psd, type ReadOptions, readPsd } from 'ag-psd';
import { expect } from 'vitest';

initializeCanvas(
  () => {
    throw new Error('pixels are read without a canvas');
  },
  (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height), colorSpace: 'srgb' }),
);

/**
 * The layers of a big-endian TIFF, as a document of its size with an empty merged picture (Adobe Photoshop TIFF Technical Notes,
 * 'ImageSourceData').
 */
export function documentIn(tiff: Buffer, { width, height }: { width: number; height: number }): Buffer {
  expect(tiff.toString('latin1', 0, 4)).toBe('MM\0*');
  const directory = tiff.readUInt32BE(4);
  const entry = Array.from({ length: tiff.readUInt16BE(directory) }, (_, index) => directory + 2 + 12 * index).find(
    (at) => tiff.readUInt16BE(at) === 37_724,
  );
  if (!entry) throw new Error('the file has no layers');
  const at = tiff.readUInt32BE(entry + 8);
  const value = tiff.subarray(at, at + tiff.readUInt32BE(entry + 4));
  const mark = 'Adobe Photoshop Document Data Block\0';
  expect(value.toString('latin1', 0, mark.length + 8)).toBe(`${mark}8BIMLayr`);
  const info = value.subarray(mark.length + 12);
  expect([value.readUInt32BE(mark.length + 8), info.length % 4]).toEqual([info.length, 0]);
  const header = Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\x08\0\x03', 'latin1');
  header.writeUInt32BE(height, 14);
  header.writeUInt32BE(width, 18);
  const sections = Buffer.alloc(16);
  sections.writeUInt32BE(4 + info.length, 8);
  sections.writeUInt32BE(info.length, 12);
  return Buffer.concat([header, sections, info, Buffer.alloc(2 + 3 * width * height)]);
}

/** A Photoshop document, as another program reads it. */
export const readDocument = (bytes: Buffer, options: ReadOptions = {}): Psd =>
  readPsd(bytes, { useImageData: true, skipThumbnail: true, ...options });
