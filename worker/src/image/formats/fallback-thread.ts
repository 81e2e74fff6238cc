/**
 * Decodes with ImageMagick in WebAssembly, where an untrusted file can't reach beyond its memory. Imports no own modules: it runs from
 * sources and build alike.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
import { move, transferableSymbol, valueSymbol } from 'piscina';

// Warnings of decoders are not log lines.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

await initializeImageMagick(await readFile(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))));

interface Order {
  readonly file: string | Uint8Array;
  readonly format: 'JPEG' | 'TIFF' | 'PSD';
}

export async function decode({ file, format }: Order): Promise<unknown> {
  // The caller has checked the size in pixels: 100 megapixels of four 8-bit channels, and as much for turning. Layers: 125 megapixels together.
  ResourceLimits.memory = format === 'PSD' ? 500_000_000n : 1_000_000_000n;
  ResourceLimits.disk = 0n;
  const bytes = typeof file === 'string' ? await readFile(file) : file;
  const decoded = format === 'PSD' ? flatten(bytes) : read(bytes, format);
  return move({ [valueSymbol]: decoded, [transferableSymbol]: [decoded.samples.buffer] });
}

function flatten(bytes: Uint8Array) {
  const images = MagickImageCollection.create();
  images.read(bytes, new MagickReadSettings({ format: MagickFormat.Psd }));
  const [canvas, ...layers] = images;
  if (!canvas || layers.length === 0) throw new Error('there are no layers in the document');
  // The merged picture, which the document lacks.
  canvas.alpha(AlphaAction.Transparent);
  return images.flatten(samplesOf);
}

function read(bytes: Uint8Array, format: 'JPEG' | 'TIFF') {
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

function samplesOf(image: IMagickImage) {
  image.autoOrient();
  const isRgb = image.colorSpace === ColorSpace.sRGB;
  const icc = isRgb ? image.getColorProfile()?.data : undefined;
  if (!isRgb && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB;
  const { width, height } = image;
  const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA'));
  if (!samples) throw new Error('there is no picture in the file');
  return { width, height, samples, icc };
}
