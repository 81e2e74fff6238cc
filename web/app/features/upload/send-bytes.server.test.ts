import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AppLoadContext } from '@remix-run/node';
import { expect, onTestFinished, test } from 'vitest';
import { sendBytes } from './send-bytes.server';

test('an object store receives the length and none of our headers', async () => {
  let received: unknown;
  const server = createServer((request, response) => {
    const { 'content-length': length, 'content-type': type, 'x-clearframe-internal': secret } = request.headers;
    text(request).then((body) => {
      received = { method: request.method, length, type, secret, body };
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const settings = {
    apiUrl: new URL('http://127.0.0.1:1'),
    publicUrl: new URL('https://clearframe.test'),
    internalSecret: 'secret',
  };
  const uploadUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/uploads/1?X-Amz-Signature=1`;
  await sendBytes(
    { taskId: '1', status: 'started', uploadUrl, uploadHeaders: { 'Content-Type': 'image/png' }, resumableUrl: null },
    Readable.from([Buffer.from('one'), Buffer.from('two')]),
    { settings, requestId: 'request', clientAddress: '127.0.0.1' } as AppLoadContext,
  );
  expect(received).toEqual({
    method: 'PUT',
    length: '6',
    type: 'image/png',
    secret: undefined,
    body: 'onetwo',
  });
});
