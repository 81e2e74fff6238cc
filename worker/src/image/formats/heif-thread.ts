/**
 * Decodes HEVC with libheif in WebAssembly, which blocks for seconds. Imports no own modules: it runs from sources and
 * build alike.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import libheif from 'libheif-js/wasm-bundle.js';

const images = new libheif.HeifDecoder().decode(await readFile(String(workerData)));
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
parentPort?.postMessage({ width, height, samples: new Uint8Array(samples.buffer) }, [samples.buffer]);
