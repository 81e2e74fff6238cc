import type { IncomingMessage, ServerResponse } from 'node:http';
import { megabytes, toWire, User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend, unusedAddress, withoutEvents } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { ADA, memberCookie } from '../../../test/users';
import { BULK_UPLOAD_ID, bulkUpload, TASK_ID, uploadCreated } from '../../../test/wire';
import { uploadFromForm, withKnownSize } from './form-upload.server';
import { MAX_FILE_BYTES } from './multipart.server';

const BOUNDARY = 'a-boundary';
const END = `\r\n--${BOUNDARY}--\r\n`;

const partHead = (fileName: string, type: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;

/** A form whose body is written incrementally. */
function openForm(signal?: AbortSignal) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const request = new Request('http://clearframe.test/?index', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: readable,
    duplex: 'half',
    signal,
  } as RequestInit);
  const encoder = new TextEncoder();
  return {
    request,
    write: (chunk: string | Uint8Array) => writer.write(typeof chunk === 'string' ? encoder.encode(chunk) : chunk),
    end: () => writer.close(),
  };
}

async function filledForm(fileName: string, type: string, content: string) {
  const form = openForm();
  void form.write(partHead(fileName, type) + content + END).then(form.end);
  return form.request;
}

type Put = (request: IncomingMessage, response: ServerResponse) => void;

const acceptAll: Put = (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
};

async function startUploads(
  put: Put = acceptAll,
  process: Put = (_request, response) => sendJson(response, 202, bulkUpload()),
  user: User | null = null,
) {
  let announced: Record<string, unknown> = {};
  const backend = await startBackend(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'PUT') return put(request, response);
    const body = (await request.toArray()).join('');
    if (path.endsWith('/@me') && user) return sendJson(response, 200, toWire(User, user));
    if (path.endsWith(`/bulk-upload/${BULK_UPLOAD_ID}`))
      return sendJson(response, 201, uploadCreated('http://clearframe.test/media/uploads/1?signature=s'));
    if (path.endsWith('/users')) return sendJson(response, 201, { access_token: 'guest' });
    if (path.endsWith('/bulk-upload')) {
      announced = JSON.parse(body);
      return sendJson(response, 201, uploadCreated('http://clearframe.test/media/uploads/1?signature=s'));
    }
    if (path.endsWith('/process')) return process(request, response);
    return sendJson(response, 200, bulkUpload({ status: 'cancelled' }).task_list[0]);
  });
  const paths = () =>
    withoutEvents(backend.requests).map(({ method, path }) => `${method} ${path.replace('/api/v1/web', '')}`);
  return { ...backend, context: contextFor(backend.url), announced: () => announced, paths };
}

test('a picture is uploaded by a form without JavaScript and processing starts', async () => {
  let received = '';
  const backend = await startUploads(async (request, response) => {
    received = (await request.toArray()).join('');
    response.writeHead(204).end();
  });
  const request = await filledForm('my face.jpg', 'image/jpeg', 'the bytes');
  expect(await uploadFromForm({ request, context: backend.context })).toEqual({
    bulkUploadId: BULK_UPLOAD_ID,
    taskIds: [TASK_ID],
    problem: null,
    files: 1,
    isBatch: false,
    isUndecided: false,
  });
  expect(received).toBe('the bytes');
  expect(backend.context.cookies.join()).toContain('clearframe_');
  expect(backend.announced()).toEqual({ image_content_type: 'image/jpeg', file_name: 'my face.jpg' });
  expect(backend.paths()).toEqual([
    'POST /users',
    'POST /tasks/bulk-upload',
    'PUT /media/uploads/1?signature=s',
    `POST /tasks/bulk-upload/${BULK_UPLOAD_ID}/process`,
  ]);
  const put = withoutEvents(backend.requests)[2]?.headers;
  expect(put).toMatchObject({ 'content-type': 'image/jpeg', 'transfer-encoding': 'chunked' });
  expect(put).not.toHaveProperty('authorization');
});

test('the first bytes are at the backend before the last are sent', async () => {
  let receiveFirst = (_chunk: string): void => {};
  const first = new Promise<string>((resolve) => {
    receiveFirst = resolve;
  });
  const backend = await startUploads((request, response) => {
    request.once('data', (chunk: Buffer) => receiveFirst(chunk.toString()));
    acceptAll(request, response);
  });
  const form = openForm();
  const accepted = uploadFromForm({ request: form.request, context: backend.context });
  await form.write(`${partHead('face.jpg', 'image/jpeg')}first, and enough to be sure where the part begins`);
  expect(await first).toMatch(/^first/);
  await form.write(`last${END}`);
  await form.end();
  expect((await accepted).taskIds).toEqual([TASK_ID]);
});

test('a large picture is streamed with back-pressure', async () => {
  const chunk = new Uint8Array(megabytes(1) / 4);
  const total = megabytes(40);
  let written = 0;
  let received = 0;
  let furthest = 0;
  const backend = await startUploads((request, response) => {
    request.on('data', (part: Buffer) => {
      received += part.length;
      furthest = Math.max(furthest, written - received);
    });
    acceptAll(request, response);
  });
  const form = openForm();
  const accepted = uploadFromForm({ request: form.request, context: backend.context });
  await form.write(partHead('large.png', 'image/png'));
  for (; written < total; written += chunk.length) await form.write(chunk);
  await form.write(END);
  await form.end();
  expect((await accepted).taskIds).toEqual([TASK_ID]);
  expect(received).toBe(total);
  expect(furthest).toBeLessThan(megabytes(10));
});

test('rejects a form without a file', async () => {
  const backend = await startUploads();
  const request = await filledForm('', 'application/octet-stream', '');
  await expect(uploadFromForm({ request, context: backend.context })).rejects.toMatchObject({
    code: 'uploads.missing',
  });
  expect(withoutEvents(backend.requests)).toEqual([]);
});

test('more files than a batch takes are stored, and none is processed before the visitor agrees', async () => {
  const backend = await startUploads(acceptAll, undefined, { ...ADA, role: 'business' });
  const form = openForm();
  const parts = Array.from({ length: 16 }, (_, index) => `${partHead(`${index}.jpg`, 'image/jpeg')}bytes`);
  void form.write(parts.join('\r\n') + END).then(form.end);
  form.request.headers.set('cookie', await memberCookie(backend.context));
  const result = await uploadFromForm({ request: form.request, context: backend.context });
  expect(result).toMatchObject({ bulkUploadId: BULK_UPLOAD_ID, files: 16, isUndecided: true, problem: null });
  expect(backend.paths().filter((path) => path.startsWith('PUT '))).toHaveLength(15);
  expect(backend.paths().some((path) => path.endsWith('/process') || path.endsWith('/cancel'))).toBe(false);
});

test('rejects other file types before sending bytes to the backend', async () => {
  const backend = await startUploads();
  const request = await filledForm('notes.txt', 'text/plain', 'x'.repeat(500_000));
  await expect(uploadFromForm({ request, context: backend.context })).rejects.toMatchObject({
    code: 'uploads.unsupported_type',
    status: 415,
  });
  expect(backend.paths()).toEqual(['POST /users']);
});

test('a rejection during the upload is reported after the rest of the form is read', async () => {
  const backend = await startUploads((request, response) => {
    request.once('data', () => sendProblem(response, 'uploads.too_large', { connection: 'close' }));
  });
  const form = openForm();
  const accepted = uploadFromForm({ request: form.request, context: backend.context });
  accepted.catch(() => {});
  await form.write(partHead('face.jpg', 'image/jpeg'));
  for (let sent = 0; sent < megabytes(3); sent += 100_000) await form.write(new Uint8Array(100_000));
  await form.write(END);
  await form.end();
  await expect(accepted).rejects.toMatchObject({ code: 'uploads.too_large', status: 413 });
  expect(backend.paths().at(-1)).toBe(`POST /tasks/${TASK_ID}/cancel`);
});

test('passes on the error of the backend for bytes of another type', async () => {
  const backend = await startUploads(acceptAll, (_request, response) =>
    sendProblem(response, 'uploads.unsupported_type'),
  );
  const request = await filledForm('face.jpg', 'image/jpeg', 'no picture');
  await expect(uploadFromForm({ request, context: backend.context })).rejects.toMatchObject({
    code: 'uploads.unsupported_type',
  });
});

test('an aborted upload is cancelled at the backend', async () => {
  const client = new AbortController();
  let reportError = (): void => {};
  const broken = new Promise<void>((resolve) => {
    reportError = resolve;
  });
  const backend = await startUploads((request) => {
    request.once('data', () => client.abort());
    request.once('error', reportError);
  });
  const form = openForm(client.signal);
  const accepted = uploadFromForm({ request: form.request, context: backend.context });
  accepted.catch(() => {});
  form.write(`${partHead('face.jpg', 'image/jpeg')}${'x'.repeat(1000)}`).catch(() => {});
  await broken;
  await expect(accepted).rejects.toThrow();
  expect(backend.paths().at(-1)).toBe(`POST /tasks/${TASK_ID}/cancel`);
  expect(backend.paths().some((path) => path.endsWith('/process'))).toBe(false);
});

test('rejects a truncated form', async () => {
  const backend = await startUploads();
  const form = openForm();
  const accepted = uploadFromForm({ request: form.request, context: backend.context });
  accepted.catch(() => {});
  await form.write(`${partHead('face.jpg', 'image/jpeg')}some bytes`);
  await form.end();
  await expect(accepted).rejects.toMatchObject({ code: 'uploads.incomplete' });
  expect(backend.paths().some((path) => path.endsWith('/process'))).toBe(false);
});

test('reports an unreachable backend', async () => {
  const request = await filledForm('face.jpg', 'image/jpeg', 'the bytes');
  const context = contextFor(await unusedAddress());
  await expect(uploadFromForm({ request, context })).rejects.toMatchObject({
    code: 'service.unavailable',
    status: 503,
  });
});

test('rejects a form without a file', async () => {
  const backend = await startUploads();
  const request = new Request('http://clearframe.test/?index', {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
  });
  await expect(uploadFromForm({ request, context: backend.context })).rejects.toMatchObject({
    code: 'uploads.missing',
  });
});

test('a video whose rest is not received is refused without its size', () => {
  const refusal = { kind: 'error', error: { reason: 'size_business', max: 120, actual: 120.1 }, rest: [] } as const;
  expect(withKnownSize(refusal, MAX_FILE_BYTES + 1).error?.actual).toBeUndefined();
  expect(withKnownSize(refusal, MAX_FILE_BYTES)).toEqual(refusal);
});
