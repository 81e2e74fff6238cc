import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { IMAGE_LIMITS, megabytes } from '@clearframe/contract';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** A file while it is still arriving. */
export interface ArrivingFile {
  readonly name: string;
  /** As the browser says; may be empty or wrong. */
  readonly type: string;
  readonly bytes: Readable;
}

/** A request that is refused is still read to its end, so that the browser shows the answer; up to here. */
const PATIENCE_BYTES = megabytes(200);

/** The form was cut off or is no form. */
export class BrokenFormError extends Error {
  override readonly name = 'BrokenFormError';
}

/**
 * Streams the first file of a multipart form. Bytes beyond the maximum file size plus one are dropped: `take` rejects
 * the file by its size.
 * @returns the result of `take`, or null when no file was chosen
 * @throws BrokenFormError when the form ends too early, and errors of `take`
 */
export async function takeFirstFile<Result>(
  request: Request,
  take: (file: ArrivingFile) => Promise<Result>,
): Promise<Result | null> {
  const contentType = request.headers.get('content-type');
  if (!request.body || !contentType) throw new BrokenFormError('There is no form.');
  const source = Readable.fromWeb(request.body as ReadableStream);
  const form = openForm(contentType);

  let open: BusboyFileStream | null = null;
  let outcome: Promise<Result> | null = null;
  form.on('file', (_field, bytes, name, _encoding, type) => {
    if (!name || outcome) {
      bytes.resume();
      return;
    }
    open = bytes;
    // The parser reports a truncated file once; destroying the stream keeps the error for later readers.
    bytes.once('error', (cause) => {
      const broken = cause instanceof BrokenFormError ? cause : new BrokenFormError('The form was cut off.', { cause });
      bytes.destroy(broken);
      form.destroy(broken);
    });
    bytes.on('error', () => {});
    outcome = take({ name, type, bytes });
    // Whatever is left after a refusal has to flow on, or the form never ends.
    outcome.catch(() => {}).finally(() => bytes.resume());
  });

  let received = 0;
  source.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > PATIENCE_BYTES) source.destroy(new BrokenFormError('There is no end to it.'));
  });
  const leave = () => source.destroy(new BrokenFormError('The visitor has left.'));
  request.signal.addEventListener('abort', leave, { once: true });
  try {
    await pipeline(source, form);
  } catch (cause) {
    (open as BusboyFileStream | null)?.destroy(new BrokenFormError('The form was cut off.'));
    // A refusal that came first says more than the broken form that followed it.
    await outcome;
    throw cause instanceof BrokenFormError ? cause : new BrokenFormError('The form was cut off.', { cause });
  } finally {
    request.signal.removeEventListener('abort', leave);
  }
  return outcome;
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: IMAGE_LIMITS.maxBytes + 1, fields: 10, parts: 20, fieldSize: 1_000, headerPairs: 50 },
    });
  } catch (cause) {
    throw new BrokenFormError('This is no multipart form.', { cause });
  }
}
