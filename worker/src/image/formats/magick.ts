/** ImageMagick in WebAssembly, which blocks this process for seconds. Loaded on demand. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  AlphaAction,
  ColorSpace,
  type IMagickImage,
  initializeImageMagick,
  MagickFormat,
  MagickImage,
  MagickImageCollection,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm';
import type { Rgba } from './format.js';

await initializeImageMagick(
  await readFile(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')),
);

/** @param file path or bytes */
export async function decodeByMagick(file: string | Uint8Array, format: 'JPEG' | 'TIFF' | 'PSD'): Promise<Rgba> {
  // The caller has checked the size in pixels: 100 megapixels of four 8-bit channels, and as much for turning. Layers: 125 megapixels together.
  ResourceLimits.memory = format === 'PSD' ? 500_000_000n : 1_000_000_000n;
  ResourceLimits.disk = 0n;
  const bytes = typeof file === 'string' ? await readFile(file) : file;
  return format === 'PSD' ? flatten(bytes) : read(bytes, format);
}

function flatten(bytes: Uint8Array): Rgba {
  const images = MagickImageCollection.create();
  images.read(bytes, new MagickReadSettings({ format: MagickFormat.Psd }));
  const [canvas, ...layers] = images;
  if (!canvas || layers.length === 0) throw new Error('there are no layers in the document');
  // The merged picture, which the document lacks.
  canvas.alpha(AlphaAction.Transparent);
  return images.flatten(samplesOf);
}

function read(bytes: Uint8Array, format: 'JPEG' | 'TIFF'): Rgba {
  const image = MagickImage.create();
  // libjpeg fills what a damaged file lacks. Of TIFF, the caller knows whether it is whole.
  if (format === 'JPEG') {
    image.onWarning = ({ error }) => {
      throw error;
    };
  }
  image.read(bytes, new MagickReadSettings({ format: format === 'JPEG' ? MagickFormat.Jpeg : MagickFormat.Tiff }));
  return samplesOf(image);
}

function samplesOf(image: IMagickImage): Rgba {
  image.autoOrient();
  const isRgb = image.colorSpace === ColorSpace.sRGB;
  const icc = isRgb ? image.getColorProfile()?.data : undefined;
  if (!isRgb && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB;
  const { width, height } = image;
  const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA'));
  if (!samples) throw new Error('there is no picture in the file');
  return { width, height, samples, icc };
}
