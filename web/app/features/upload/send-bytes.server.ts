import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TIME_LIMITS, type UploadTarget } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, problemIn } from '../../http/api.server';
import { backendAddress } from '../../http/api-addresses.server';

const MAX_RESPONSE_LENGTH = 64_000;

/**
 * Streams bytes to an upload URL with back-pressure. After a rejection the caller must drain `bytes`.
 * @throws ApiError of the response, `service.unavailable` without a response, or the error of `bytes`
 */
export async function sendBytes(target: UploadTarget, bytes: Readable, context: AppLoadContext): Promise<void> {
  const { settings, requestId, clientAddress } = context;
  const url = backendAddress(target.uploadUrl, settings);
  const headers: Record<string, string> = { ...target.uploadHeaders };
  if (url.origin !== settings.apiUrl.origin) return sendWithLength(url, headers, bytes, requestId);
  headers['x-request-id'] = requestId;
  headers['x-forwarded-for'] = clientAddress;
  headers['x-clearframe-internal'] = settings.internalSecret;
  return send(url, headers, bytes, requestId);
}

/** Buffers the bytes in a file: object stores require the length, which a form does not contain. */
const sendWithLength = (url: URL, headers: Record<string, string>, bytes: Readable, requestId: string) =>
  withStoredFile(bytes, ({ size, open }) =>
    send(url, { ...headers, 'content-length': String(size) }, open(), requestId),
  );

interface StoredFile {
  readonly size: number;
  readonly open: () => Readable;
}

/** Keeps bytes in a temporary file while `use` runs. */
export async function withStoredFile<Result>(
  bytes: Readable,
  use: (file: StoredFile) => Promise<Result>,
): Promise<Result> {
  const path = join(tmpdir(), `clearframe-upload-${randomUUID()}`);
  try {
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const { size } = await stat(path);
    return await use({ size, open: () => createReadStream(path) });
  } finally {
    await rm(path, { force: true });
  }
}

function send(url: URL, headers: Record<string, string>, bytes: Readable, requestId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (bytes.errored) throw bytes.errored;
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'PUT',
      headers,
      timeout: TIME_LIMITS.silence.web,
    });
    const settle = (end: () => void) => {
      bytes.unpipe(outgoing);
      bytes.off('error', onSourceError);
      end();
    };
    const onSourceError = (error: Error) => {
      outgoing.destroy();
      settle(() => reject(error));
    };
    bytes.once('error', onSourceError);
    outgoing.once('timeout', () => outgoing.destroy(new Error('upload timed out')));
    outgoing.on('error', (cause) => settle(() => reject(ApiError.of('service.unavailable', requestId, cause))));
    outgoing.once('response', (response) => {
      readBody(response).then(
        (text) => {
          const status = response.statusCode ?? 500;
          if (status < 300) settle(resolve);
          else settle(() => reject(problemIn(status, response.headers['retry-after'] ?? null, text, requestId)));
          if (!outgoing.writableFinished) outgoing.destroy();
        },
        (cause) => settle(() => reject(ApiError.of('service.unavailable', requestId, cause))),
      );
    });
    bytes.pipe(outgoing);
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    if (text.length < MAX_RESPONSE_LENGTH) text += chunk;
  }
  return text;
}
