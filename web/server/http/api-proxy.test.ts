import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend, unusedAddress } from '../../test/backend.ts';
import { SECRETS, settingsFor } from '../../test/context.ts';
import { isApiPath, proxyToApi } from './api-proxy.ts';
import { logRequests } from './request-context.ts';

function deferred<Value>() {
  let resolve = (_value: Value): void => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function startServer(apiUrl: URL, options?: Parameters<typeof proxyToApi>[1]): Promise<URL> {
  const app = express();
  const settings = settingsFor(apiUrl);
  app.use(logRequests({ settings, logger: pino({ level: 'silent' }) }));
  app.use(proxyToApi(settings, options));
  app.use((_request, response) => response.status(404).send('web'));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test.each([
  ['/api/v1/web/users', true],
  ['/media/results/1/2/rendition.jpg?signature=x', true],
  ['/api', true],
  ['/apis', false],
  ['/metrics', false],
  ['/', false],
  ['/api/../metrics', false],
  ['/media/%2e%2e/metrics', false],
  ['//api/x', false],
])('%s is proxied: %s', (target, expected) => {
  expect(isApiPath(target)).toBe(expected);
});

test('forwards the socket address and removes forged headers', async () => {
  const backend = await startBackend((_request, response) => void response.end());
  const origin = await startServer(backend.url);
  await fetch(new URL('/api/v1/web/users', origin), {
    headers: {
      'x-forwarded-for': '198.51.100.1',
      'x-clearframe-internal': 'guessed',
      'x-real-ip': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
      'x-request-id': 'made-up',
      cookie: 'session=secret',
      authorization: 'Bearer token',
    },
  });
  const headers = backend.requests[0]?.headers;
  expect(headers?.['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
  expect(headers?.['x-clearframe-internal']).toBe(SECRETS.CLEARFRAME_INTERNAL_SECRET);
  expect(headers?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers?.authorization).toBe('Bearer token');
  expect(headers).not.toHaveProperty('x-real-ip');
  expect(headers).not.toHaveProperty('forwarded');
  expect(headers).not.toHaveProperty('cookie');
});

test('closes idle connections before the backend does, but none in use', async () => {
  const { promise: closed, resolve: onClosed } = deferred<string>();
  const { promise: idled, resolve: onIdled } = deferred<void>();
  const backend = await startBackend(async (request, response) => {
    request.socket.once('close', () => onClosed('closed'));
    if (request.url === '/api/slow') await idled;
    response.end('done');
  });
  backend.server.keepAliveTimeout = 0;
  const origin = await startServer(backend.url, { idleMs: 50 });
  const slow = fetch(new URL('/api/slow', origin));
  await fetch(new URL('/api/v1/web/users', origin));
  expect(await closed).toBe('closed');
  onIdled();
  expect(await (await slow).text()).toBe('done');
});

test('streams an upload to the backend', async () => {
  const { promise: first, resolve: onFirst } = deferred<string>();
  const backend = await startBackend((request, response) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      if (received === 0) onFirst(chunk.toString());
      received += chunk.length;
    });
    request.on('end', () => response.end(String(received)));
  });
  const origin = await startServer(backend.url);
  const outgoing = http.request(new URL('/media/uploads/1', origin), { method: 'PUT' });
  outgoing.write('first');
  expect(await first).toBe('first');
  outgoing.end('last');
  const response = await new Promise<http.IncomingMessage>((resolve) => outgoing.once('response', resolve));
  expect((await response.toArray()).join('')).toBe('9');
});

test("a client's connection: close is not passed to the backend", async () => {
  const backend = await startBackend((_request, response) => void response.end());
  const origin = await startServer(backend.url);
  const answerTo = async (version: string, connection: string) => {
    const socket = connect(Number(origin.port), '127.0.0.1');
    socket.write(`GET /api/v1/web/users HTTP/${version}\r\nhost: web\r\n${connection}\r\n\r\n`);
    // Ends because the server closes the connection.
    return Buffer.concat(await socket.toArray()).toString();
  };
  expect(await answerTo('1.1', 'connection: close, x-clearframe-internal')).toMatch(/\r\nconnection: close/i);
  expect(await answerTo('1.0', 'x-client: old')).toMatch(/\r\nconnection: close/i);
  expect(backend.requests.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive']);
});

test('a body that is refused before its end does not block the next request', async () => {
  const backend = await startBackend((request, response) => {
    request.resume();
    response.statusCode = 415;
    response.end();
  });
  const origin = await startServer(backend.url);
  const socket = connect(Number(origin.port), '127.0.0.1');
  const post = (bytes: number, header: string) => {
    socket.write(`POST /api/v1/web/users HTTP/1.1\r\nhost: web\r\n${header}\r\ncontent-length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
  };
  post(20_000_000, 'x-first: 1');
  post(2, 'connection: close');
  const answers = Buffer.concat(await socket.toArray()).toString();
  expect(answers.match(/HTTP\/1\.1 415/g)).toHaveLength(2);
});

test('passes a preflight and what it allows', async () => {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' };
  const backend = await startBackend((_request, response) => void response.writeHead(204, headers).end());
  const origin = await startServer(backend.url);
  const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
  const answer = await fetch(new URL('/api/v1/web/enhance', origin), { method: 'OPTIONS', headers: preflight });
  expect(answer.status).toBe(204);
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  expect(backend.requests[0]).toMatchObject({ method: 'OPTIONS', headers: preflight });
});

test('a request whose client has left is aborted at the backend', async () => {
  const { promise: received, resolve: onReceived } = deferred<void>();
  const { promise: aborted, resolve: onAborted } = deferred<void>();
  const backend = await startBackend((_request, response) => {
    response.once('close', () => onAborted());
    onReceived();
  });
  const origin = await startServer(backend.url);
  const outgoing = http.get(new URL('/api/v1/web/tasks/1', origin), { headers: { prefer: 'wait=60' } });
  outgoing.on('error', () => {});
  await received;
  outgoing.destroy();
  await aborted;
});

test('an aborted upload is aborted at the backend', async () => {
  const { promise: aborted, resolve: onAborted } = deferred<void>();
  const backend = await startBackend((request) => {
    request.once('data', () => outgoing.destroy());
    request.once('error', () => onAborted());
  });
  const origin = await startServer(backend.url);
  const outgoing = http.request(new URL('/media/uploads/1', origin), { method: 'PUT' });
  outgoing.on('error', () => {});
  outgoing.write('first');
  await aborted;
});

test('an aborted download is stopped at the backend', async () => {
  const { promise: stopped, resolve: onStopped } = deferred<void>();
  const backend = await startBackend((_request, response) => {
    response.once('close', onStopped);
    response.writeHead(200, { 'content-length': '1000' }).write('some');
  });
  const client = new AbortController();
  const response = await fetch(new URL('/media/1', await startServer(backend.url)), { signal: client.signal });
  expect(response.status).toBe(200);
  client.abort();
  await stopped;
});

test('a download aborted by the backend fails', async () => {
  const backend = await startBackend((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('some', () => response.destroy());
  });
  const response = await fetch(new URL('/media/1', await startServer(backend.url)));
  await expect(response.text()).rejects.toThrow();
});

test('proxies range requests', async () => {
  const backend = await startBackend((request, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-3/10', 'x-range': request.headers.range }).end('abcd');
  });
  const response = await fetch(new URL('/media/1', await startServer(backend.url)), {
    headers: { range: 'bytes=0-3' },
  });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('bytes 0-3/10');
  expect(response.headers.get('x-range')).toBe('bytes=0-3');
  expect(await response.text()).toBe('abcd');
});

test('responds with 503 when the backend is unreachable', async () => {
  const response = await fetch(new URL('/api/v1/web/users', await startServer(await unusedAddress())), {
    method: 'POST',
  });
  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({
    error_code: 'service.unavailable',
    request_id: response.headers.get('x-request-id'),
  });
});

test('does not proxy other paths', async () => {
  const backend = await startBackend((_request, response) => void response.end('backend'));
  const response = await fetch(new URL('/metrics', await startServer(backend.url)));
  expect(await response.text()).toBe('web');
  expect(backend.requests).toEqual([]);
});
