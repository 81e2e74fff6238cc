/** Decodes HEVC with libheif in WebAssembly. Imports no own modules: it runs from sources and build alike. */
import { readFile } from 'node:fs/promises';
import libheif from 'libheif-js/wasm-bundle.js';
import { move, transferableSymbol, valueSymbol } from 'piscina';

// Warnings of decoders are not log lines.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

export async function decode(path: string): Promise<unknown> {
  const images = new libheif.HeifDecoder().decode(await readFile(path));
  // The primary picture need not be the first.
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) throw new Error('there is no picture in the file');

  const [width, height] = [image.get_width(), image.get_height()];
  const samples = new Uint8ClampedArray(width * height * 4);
  await new Promise<void>((resolve, reject) => {
    image.display({ data: samples, width, height }, (shown) =>
      shown ? resolve() : reject(new Error('the picture cannot be decoded')),
    );
  });
  const decoded = { width, height, samples: new Uint8Array(samples.buffer) };
  return move({ [valueSymbol]: decoded, [transferableSymbol]: [samples.buffer] });
}
