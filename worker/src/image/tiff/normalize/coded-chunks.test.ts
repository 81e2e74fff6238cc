import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ImageMagick, initializeImageMagick, MagickFormat } from '@imagemagick/magick-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../../test/pictures.js';
import { type TiffOptions, writeTiff } from '../../../test/tiff.js';

const SIZE = { width: 64, height: 48 };
const [PNG, JPEG_2000, JPEG_XL] = [34_933, 34_712, 50_002];
const RGB: TiffOptions = { ...SIZE, photometric: 2, bits: [8, 8, 8] };

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm');
  await initializeImageMagick(await readFile(wasm));
});

const part = (top: number, height: number): Promise<Buffer> =>
  quadrants().extract({ left: 0, top, width: SIZE.width, height }).png().toBuffer();

const recode = async (png: Promise<Buffer>, format: MagickFormat): Promise<Buffer> => {
  const bytes = await png;
  return ImageMagick.read(bytes, (image) => image.write(format, (written) => Buffer.from(written)));
};

describe('TIFF of strips that are pictures', () => {
  it.each([
    ['JPEG 2000', JPEG_2000, MagickFormat.J2k],
    ['JPEG XL', JPEG_XL, MagickFormat.Jxl],
    ['PNG', PNG, MagickFormat.Png],
  ])('keeps the colors of %s', async (_, compression, format) => {
    const strips = await Promise.all([recode(part(0, 32), format), recode(part(32, 16), format)]);
    const picture = await decode(writeTiff(strips, { ...RGB, compression, rowsPerStrip: 32 }));
    expect(picture).toMatchObject(SIZE);
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(4);
  });

  it('has 8 bits afterwards', async () => {
    const wide = await quadrants().toColourspace('rgb16').png().toBuffer();
    const picture = await decode(writeTiff([wide], { ...RGB, compression: PNG, bits: [16, 16, 16] }), {
      keepDepth: true,
    });
    expect(picture.rgb).toBeInstanceOf(Uint8Array);
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(2);
  });

  it('that are damaged, of another size, or in unknown colors is rejected', async () => {
    const whole = await part(0, SIZE.height);
    const options = { ...RGB, compression: PNG };
    for (const file of [
      writeTiff([whole.subarray(0, whole.length / 2)], options),
      writeTiff([Buffer.alloc(500, 7)], options),
      writeTiff([whole], { ...options, width: 32 }),
      writeTiff([await part(0, 16)], options),
      writeTiff([whole], { ...options, photometric: 8 }),
      writeTiff([whole], { ...options, compression: JPEG_2000 }),
    ]) {
      expect(await rejectionOf(file)).toBe('uploads.undecodable');
    }
  });
});
