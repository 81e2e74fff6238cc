/** HEVC by libheif in WebAssembly, which blocks this process for seconds. Loaded on demand. */
import { readFile } from 'node:fs/promises';
import libheif from 'libheif-js/wasm-bundle.js';
import type { Rgba } from './format.js';

export async function decodeHevc(path: string): Promise<Rgba> {
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
  return { width, height, samples: new Uint8Array(samples.buffer) };
}
