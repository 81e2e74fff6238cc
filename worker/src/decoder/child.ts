/**
 * Opens one picture of a visitor until its parent kills it: see {@link Decoder}. Imports little, since one starts for each picture: the
 * whole contract would take twice as long as all else.
 */
import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { serialize } from 'node:v8';
import { InvalidImageError } from '../image/errors.js';
import { decodePicture, decodeToFile, type ProbedImage, probeImage } from '../image/formats/decode.js';
import { configureLibvips } from '../image/libvips.js';
import { decodeMask, readMask } from '../image/mask.js';
import { Exchange } from '../inference/exchange.js';
import { ANSWERS_FD, SHARED_FD } from '../inference/fork-child.js';
import { frameOf } from './frames.js';
import type { FromDecoder, ToDecoder } from './protocol.js';

configureLibvips();
const exchange = new Exchange(SHARED_FD);
let picture: ProbedImage | undefined;

async function answer(request: ToDecoder): Promise<FromDecoder> {
  if (request.type === 'probe') {
    picture = await probeImage(request.path, request.maxBytes);
    const { contentType, sizeBytes, width, height, isDeep } = picture;
    return { type: 'probed', contentType, sizeBytes, width, height, isDeep };
  }
  if (request.type === 'mask') {
    const { path, size } = request;
    const file = await readFile(path);
    const mask = size ? { ...size, data: await readMask(file, size) } : await decodeMask(file);
    return { type: 'mask', ...mask };
  }
  if (!picture) throw new Error('no picture was opened');
  if (request.type === 'decode') {
    const { metadata, ...decoded } = await decodePicture(picture, request);
    return { type: 'decoded', ...decoded, ...metadata };
  }
  const { pixels, metadata } = await decodeToFile(picture, request.path, request);
  const { path, layout, offset } = pixels;
  return { type: 'written', path, layout, offset, ...metadata };
}

function failureOf(error: unknown): FromDecoder {
  if (error instanceof InvalidImageError) {
    const { code, cause } = error;
    return { type: 'invalid', code, reason: cause instanceof Error ? cause.message : '' };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { type: 'error', error: { name, message } };
}

async function send(message: FromDecoder): Promise<void> {
  const frame = frameOf(serialize(await exchange.pack(message)));
  for (let done = 0; done < frame.length; ) done += writeSync(ANSWERS_FD, frame, done);
}

createInterface({ input: process.stdin })
  .on('line', (line) => void answer(JSON.parse(line)).catch(failureOf).then(send))
  .on('close', () => process.exit(0));
await send({ type: 'ready', hasConfinedFiles: process.env.CONFINED_FILES === 'true' });
// Warnings of decoders are not log lines.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
