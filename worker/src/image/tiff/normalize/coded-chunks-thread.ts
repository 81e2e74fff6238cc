/**
 * Decodes strips or tiles that are pictures, with ImageMagick in WebAssembly, where an untrusted file can't reach
 * beyond its memory. Imports no own modules: it runs from sources and build alike.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { ImageMagick, initializeImageMagick, type MagickFormat, ResourceLimits } from '@imagemagick/magick-wasm';

await initializeImageMagick(await readFile(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))));
// A strip of 100 megapixels with four channels of 8 bits, and its copy.
ResourceLimits.memory = 1_000_000_000n;
ResourceLimits.disk = 0n;

interface Input {
  readonly chunks: readonly Uint8Array[];
  readonly format: MagickFormat;
  /** Names of the channels wanted, as ImageMagick's. */
  readonly channels: string;
  readonly width: number;
  /** Sum over the chunks. */
  readonly height: number;
}

const { chunks, format, channels, width, height }: Input = workerData;
// Its reader of JPEG 2000 fails with these limits, and bounds the size itself.
if (format !== 'J2K') {
  ResourceLimits.width = BigInt(width);
  ResourceLimits.height = BigInt(height);
}
const samples = new Uint8Array(width * height * channels.length);
let row = 0;
for (const chunk of chunks) {
  ImageMagick.read(chunk, format, (image) => {
    if (image.width !== width || row + image.height > height) throw new RangeError('a strip or tile has another size');
    const read = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, image.height, channels));
    samples.set(read ?? [], row * width * channels.length);
    row += image.height;
  });
}
if (row !== height) throw new RangeError('a strip or tile has another size');
parentPort?.postMessage({ width, height, samples }, [samples.buffer as ArrayBuffer]);
