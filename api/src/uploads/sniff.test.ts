import { describe, expect, it } from 'vitest';
import { notPictures, notVideos, picture, pngOf, video } from '../../test/support/pictures.js';
import { pixelsIn, SNIFFED_BYTES, sniffType } from './upload-intake.js';

describe('the type of a file', () => {
  it.each([
    ['image/jpeg', picture.jpeg()],
    ['image/png', picture.png()],
    ['image/png', picture.pngWithLongProfile()],
    ['image/webp', picture.webp()],
    ['image/tiff', picture.tiff()],
    ['image/heic', picture.heic()],
    ['image/heif', picture.heif()],
    ['image/avif', picture.avif()],
    ['image/vnd.adobe.photoshop', picture.psd()],
  ])('%s is detected from the file and from its first bytes alike', async (type, bytes) => {
    expect(await sniffType(bytes, 'image')).toBe(type);
    expect(await sniffType(bytes.subarray(0, SNIFFED_BYTES), 'image')).toBe(type);
  });

  it.each(Object.entries(notPictures))('%s is not a picture', async (_name, bytes) => {
    expect(await sniffType(bytes, 'image')).toBeNull();
  });

  it.each([
    ['video/mp4', video.mp4()],
    ['video/mp4', video.m4v()],
    ['video/quicktime', video.mov()],
    ['video/quicktime', video.plainMov()],
  ])('%s is a video and no picture', async (type, bytes) => {
    expect(await sniffType(bytes, 'video')).toBe(type);
    expect(await sniffType(bytes, 'image')).toBeNull();
  });

  it.each(['3gp4', '3gp5', '3gp6', '3gp7', '3ge6', '3gs7', '3g2a', '3g2b'])(
    'a file of brand %s, the container of MP4, is an MP4',
    async (brand) => {
      expect(await sniffType(video.threeGp(brand), 'video')).toBe('video/mp4');
      expect(await sniffType(video.threeGp(brand), 'image')).toBeNull();
    },
  );

  it.each(Object.entries(notVideos))('%s is not a video', async (_name, bytes) => {
    expect(await sniffType(bytes, 'video')).toBeNull();
  });

  it('is never an error, wherever a file is cut', async () => {
    for (const whole of [...Object.values(picture).map((make) => make()), ...Object.values(notPictures)]) {
      for (let length = 0; length <= 64; length += 1) {
        await expect(sniffType(whole.subarray(0, length), 'image')).resolves.toSatisfy(
          (type: unknown) => type === null || typeof type === 'string',
        );
      }
    }
  });
});

describe('the size of a picture', () => {
  it('is read from its header', () => {
    expect(pixelsIn(pngOf(4000, 3000), 'image/png')).toBe(12_000_000);
  });

  it.each([
    ['a header that is cut off', picture.png().subarray(0, 12), 'image/png'],
    ['a directory at the end of the file', picture.tiff(), 'image/tiff'],
    ['a video', video.mp4(), 'video/mp4'],
    ['no file', Buffer.alloc(0), 'image/jpeg'],
  ] as const)('is unknown for %s', (_name, bytes, contentType) => {
    expect(pixelsIn(bytes, contentType)).toBeNull();
  });
});
