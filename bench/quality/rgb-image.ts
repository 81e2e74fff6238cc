import sharp, { type SharpInput } from 'sharp';

export interface RgbImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Upright, in sRGB, on white where transparent. */
export async function readRgb(input: SharpInput): Promise<RgbImage> {
  const { data, info } = await sharp(input)
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) return readRgb(await sharp(input).toColourspace('srgb').png().toBuffer());
  return { data, width: info.width, height: info.height };
}

export function crop(image: RgbImage, box: Box): RgbImage {
  const left = Math.max(0, Math.round(box.x));
  const top = Math.max(0, Math.round(box.y));
  const width = Math.min(image.width - left, Math.round(box.width));
  const height = Math.min(image.height - top, Math.round(box.height));
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++) {
    const start = ((top + row) * image.width + left) * 3;
    image.data.copy(data, row * width * 3, start, start + width * 3);
  }
  return { data, width, height };
}
