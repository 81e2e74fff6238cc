import { taskRoutes } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendProblem, startBackend } from '../../test/backend';
import { contextFor } from '../../test/context';
import { BULK_UPLOAD_ID } from '../../test/wire';
import { downloadFromApi } from './api-download.server';

const download = (apiUrl: URL, whenWritable = async () => {}, signal?: AbortSignal) =>
  downloadFromApi(
    taskRoutes.archiveBulkUpload,
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
