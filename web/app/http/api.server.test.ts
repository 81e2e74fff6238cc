import { taskRoutes, userRoutes } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend, unusedAddress } from '../../test/backend';
import { contextFor, SECRETS } from '../../test/context';
import { BULK_UPLOAD_ID, TASK_ID, task, uploadCreated } from '../../test/wire';
import { ApiError, callApi, downloadFromApi } from './api.server';

test('keys are sent in snake case and returned in camel case; values stay unchanged', async () => {
  let sent = '';
  const backend = await startBackend(async (request, response) => {
    sent = (await request.toArray()).join('');
    sendJson(response, 201, uploadCreated('http://clearframe.test/media/uploads/1'));
  });
  const created = await callApi(
    taskRoutes.createBulkUpload,
    { body: { imageContentType: 'image/jpeg', fileName: 'face.jpg' } },
    { context: contextFor(backend.url), token: 'token' },
  );
  expect(JSON.parse(sent)).toEqual({ image_content_type: 'image/jpeg', file_name: 'face.jpg' });
  expect(created.taskList[0]?.uploadHeaders).toEqual({ 'Content-Type': 'image/jpeg' });
});

test('sends the visitor’s token, language, address and request id', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 200, task()));
  await callApi(
    taskRoutes.getTask,
    { params: { taskId: TASK_ID } },
    {
      context: contextFor(backend.url),
      token: 'abc',
      request: new Request('http://clearframe.test/', { headers: { 'accept-language': 'pt-PT,en;q=0.5' } }),
    },
  );
  expect(backend.requests[0]).toMatchObject({
    method: 'GET',
    path: `/api/v1/web/tasks/${TASK_ID}`,
    headers: {
      authorization: 'Bearer abc',
      'accept-language': 'pt-BR',
      'x-forwarded-for': '203.0.113.7',
      'x-clearframe-internal': SECRETS.CLEARFRAME_INTERNAL_SECRET,
      'x-request-id': 'req-from-web',
    },
  });
});

test('a slash in a parameter is encoded', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'tasks.not_found'));
  const call = callApi(taskRoutes.getTask, { params: { taskId: '../users' } }, { context: contextFor(backend.url) });
  await expect(call).rejects.toThrow();
  expect(backend.requests[0]?.path).toBe('/api/v1/web/tasks/..%2Fusers');
});

test('an error keeps its code, status, details and Retry-After', async () => {
  const backend = await startBackend((_request, response) =>
    sendProblem(response, 'request.rate_limited', { 'retry-after': '30' }),
  );
  await expect(callApi(userRoutes.createGuest, {}, { context: contextFor(backend.url) })).rejects.toMatchObject({
    name: 'ApiError',
    code: 'request.rate_limited',
    status: 429,
    retryAfter: 30,
    requestId: 'req-from-api',
    details: { field: 'why' },
  });
});

test('a response of another shape is an internal error', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 201, { token: 'x' }));
  await expect(callApi(userRoutes.createGuest, {}, { context: contextFor(backend.url) })).rejects.toMatchObject({
    code: 'service.internal',
  });
});

test('an error page of a gateway means unavailable', async () => {
  const backend = await startBackend((_request, response) => void response.writeHead(502).end('<html>'));
  await expect(callApi(userRoutes.createGuest, {}, { context: contextFor(backend.url) })).rejects.toMatchObject({
    code: 'service.unavailable',
    status: 503,
  });
});

test('an unreachable backend is unavailable', async () => {
  const call = callApi(userRoutes.createGuest, {}, { context: contextFor(await unusedAddress()) });
  await expect(call).rejects.toBeInstanceOf(ApiError);
  await expect(call).rejects.toMatchObject({ code: 'service.unavailable', retryAfter: 5 });
});

test('times out', async () => {
  const backend = await startBackend(() => {});
  const call = callApi(userRoutes.createGuest, {}, { context: contextFor(backend.url), timeoutMs: 20 });
  await expect(call).rejects.toMatchObject({ code: 'service.unavailable' });
});

test('is aborted with the request', async () => {
  const controller = new AbortController();
  const backend = await startBackend(() => controller.abort());
  const request = new Request('http://clearframe.test/', { signal: controller.signal });
  const call = callApi(userRoutes.createGuest, {}, { context: contextFor(backend.url), request });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

const download = (apiUrl: URL, whenWritable = async () => {}, signal?: AbortSignal) =>
  downloadFromApi(
    taskRoutes.downloadBulkUploadArchive,
    { params: { bulkUploadId: BULK_UPLOAD_ID }, query: {} },
    {
      context: { ...contextFor(apiUrl), whenWritable },
      request: new Request('http://clearframe.test/', signal && { signal }),
      token: 'token',
    },
  );

test('a file is streamed with its name, each part only when the browser can take it', async () => {
  const backend = await startBackend((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="a.zip"',
    });
    response.write('one');
    response.end('two');
  });
  const events: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const response = await download(backend.url, async () => {
    events.push('asked');
    await gate;
  });
  expect(backend.requests[0]?.headers.authorization).toBe('Bearer token');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="a.zip"',
    'cache-control': 'no-store',
  });
  const text = response.text().then((all) => {
    events.push('read');
    return all;
  });
  await expect.poll(() => events).toEqual(['asked']);
  open();
  expect(await text).toBe('onetwo');
  expect(events.at(-1)).toBe('read');
});

test('the request to the backend ends with the browser’s', async () => {
  let hasClosed = false;
  const backend = await startBackend((_request, response) => {
    response.on('close', () => {
      hasClosed = true;
    });
    response.writeHead(200).write('one');
  });
  const browser = new AbortController();
  const response = await download(backend.url, undefined, browser.signal);
  browser.abort();
  await expect.poll(() => hasClosed).toBe(true);
  await expect(response.text()).rejects.toThrow();
});

test('a refusal is an error of the API', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'tasks.wrong_state'));
  await expect(download(backend.url)).rejects.toMatchObject({ code: 'tasks.wrong_state' });
});
