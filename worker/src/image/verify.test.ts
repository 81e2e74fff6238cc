import { describe, expect, it } from 'vitest';
import { detailed } from '../test/pictures.js';
import { verifyEncoded } from './encode.js';

const SIZE = { width: 640, height: 480 };
const picture = () => detailed(SIZE.width, SIZE.height);
const FILES = [
  ['image/jpeg', await picture().jpeg({ progressive: true }).toBuffer()],
  ['image/png', await picture().png().toBuffer()],
  ['image/tiff', await picture().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer()],
  ['image/webp', await picture().webp().toBuffer()],
] as const;

describe('verifyEncoded', () => {
  it.each(FILES)('accepts a complete %s of its size and format only', async (contentType, bytes) => {
    await expect(verifyEncoded(bytes, contentType, SIZE)).resolves.toBeUndefined();
    await expect(verifyEncoded(bytes, contentType, { ...SIZE, height: 481 })).rejects.toThrow('another size');
    const other = contentType === 'image/png' ? 'image/jpeg' : 'image/png';
    await expect(verifyEncoded(bytes, other, SIZE)).rejects.toThrow('format');
  });

  it.each(FILES)('rejects a %s that is damaged near its start or cut off', async (contentType, bytes) => {
    const damaged = Buffer.from(bytes);
    // TIFF has no checksums: codes of LZW that were never defined are found.
    damaged.fill(0xff, Math.floor(bytes.length * 0.2), Math.floor(bytes.length * 0.3));
    await expect(verifyEncoded(damaged, contentType, SIZE)).rejects.toThrow();
    await expect(verifyEncoded(bytes.subarray(0, bytes.length / 2), contentType, SIZE)).rejects.toThrow();
  });
});
