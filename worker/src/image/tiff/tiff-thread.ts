/**
 * Decodes TIFF with ImageMagick in WebAssembly, where an untrusted file can't reach beyond its memory. Imports no own
 * modules: it runs from sources and build alike.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { ColorSpace, ImageMagick, initializeImageMagick, MagickFormat, ResourceLimits } from '@imagemagick/magick-wasm';

await initializeImageMagick(await readFile(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))));
// The caller has checked the size in pixels; 100 megapixels of four 8-bit channels, and as much for turning.
ResourceLimits.memory = 1_000_000_000n;
ResourceLimits.disk = 0n;

const file: Uint8Array = workerData;
ImageMagick.read(file, MagickFormat.Tiff, (image) => {
  image.autoOrient();
  const isRgb = image.colorSpace === ColorSpace.sRGB;
  const icc = isRgb ? image.getColorProfile()?.data : undefined;
  if (!isRgb && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB;
  const { width, height } = image;
  const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA'));
  if (!samples) throw new Error('there is no picture in the file');
  parentPort?.postMessage({ width, height, samples, icc }, [samples.buffer as ArrayBuffer]);
});
