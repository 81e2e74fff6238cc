import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { IMAGE_LIMITS, maxBytesOf, megabytes, VIDEO_LIMITS } from '@clearframe/contract';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { NamedFile } from './file-types';

export interface IncomingFile extends NamedFile {
  readonly bytes: Readable;
}

/** Rejected requests are read to their end, so that browsers show the response, up to this size. */
const MIN_FORM_BYTES = megabytes(200);
/** Size of a photo or video of the largest plan. Bytes beyond are not received. */
export const MAX_FILE_BYTES = Math.max(IMAGE_LIMITS.maxBytes, maxBytesOf(VIDEO_LIMITS.business));
/** Boundaries, headers and other fields. */
const FIELD_BYTES = megabytes(1);

export class MalformedFormError extends Error {
  override readonly name = 'MalformedFormError';
}

interface ReadFiles<Result> {
  readonly results: readonly Result[];
  readonly files: number;
}

/**
 * Streams the files of a multipart form, at most `maxFiles`, one after the other. Bytes beyond the maximum file size plus
 * one are dropped: `handle` rejects the file by its size. After an error of `handle` the rest of the form is dropped.
 * @throws MalformedFormError for a truncated or invalid form, and errors of `handle`
 */
export async function readFiles<Result>(
  request: Request,
  maxFiles: number,
  handle: (file: IncomingFile) => Promise<Result>,
): Promise<ReadFiles<Result>> {
  const contentType = request.headers.get('content-type');
  if (!request.body || !contentType) throw new MalformedFormError('no form');
  const source = Readable.fromWeb(request.body as ReadableStream);
  const form = createParser(contentType);

  let open: BusboyFileStream | null = null;
  let files = 0;
  const results: Result[] = [];
  let handled = Promise.resolve();
  form.on('file', (_field, bytes, name, _encoding, type) => {
    if (name) files += 1;
    if (!name || files > maxFiles) {
      bytes.resume();
      return;
    }
    open = bytes;
    // The parser reports a truncated file once; destroying the stream keeps the error for later readers.
    bytes.once('error', (cause) => {
      const error = cause instanceof MalformedFormError ? cause : new MalformedFormError('truncated form', { cause });
      bytes.destroy(error);
      form.destroy(error);
    });
    bytes.on('error', () => {});
    // A file that waits is not read, which pauses the form.
    handled = handled.then(async () => {
      results.push(await handle({ name, type, bytes }));
    });
    // Drains the rest after a rejection; otherwise the form never ends.
    handled.catch(() => {}).finally(() => bytes.resume());
  });

  const maxBytes = Math.max(MIN_FORM_BYTES, maxFiles * IMAGE_LIMITS.maxBytes + FIELD_BYTES);
  let received = 0;
  source.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) source.destroy(new MalformedFormError('form too large'));
  });
  const onAbort = () => source.destroy(new MalformedFormError('request aborted'));
  request.signal.addEventListener('abort', onAbort, { once: true });
  try {
    await pipeline(source, form);
  } catch (cause) {
    (open as BusboyFileStream | null)?.destroy(new MalformedFormError('truncated form'));
    // An earlier error of `handle` is more specific.
    await handled;
    throw cause instanceof MalformedFormError ? cause : new MalformedFormError('truncated form', { cause });
  } finally {
    request.signal.removeEventListener('abort', onAbort);
  }
  await handled;
  return { results, files };
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: MAX_FILE_BYTES + 1, fields: 10, parts: 200, fieldSize: 1_000, headerPairs: 50 },
    });
  } catch (cause) {
    throw new MalformedFormError('not a multipart form', { cause });
  }
}
