/**
 * The thread in which HEVC pictures are decoded: libheif compiled to WebAssembly, which would hold up the event loop
 * for seconds. It imports nothing of ours, so that it runs from source and from the build alike.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import decode from 'heic-decode';

const { width, height, data } = await decode({ buffer: await readFile(String(workerData)) });
const samples = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
parentPort?.postMessage({ width, height, samples }, [samples.buffer as ArrayBuffer]);
