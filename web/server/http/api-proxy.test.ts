import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { deadAddress, startBackend } from '../../test/backend.ts';
import { SECRETS, settingsFor } from '../../test/context.ts';
import { logRequests } from './logging.ts';
import { isPassedThrough, passThrough } from './api-proxy.ts';

/** The front door with nothing behind it but the way to the backend. */
async function openDoor(apiUrl: URL): Promise<URL> {
  const app = express();
  const settings = settingsFor(apiUrl);
  app.use(logRequests({ settings, logger: pino({ level: 'silent' }), clientFolder: '' }));
  app.use(passThrough(settings));
  app.use((_request, response) => response.status(404).send('ours'));
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
])('%s is passed on: %s', (target, expected) => {
  expect(isPassedThrough(target)).toBe(expected);
});

test('the backend learns the address of the socket and nothing that was made up', async () => {
  const backend = await startBackend((_request, response) => void response.end());
  const door = await openDoor(backend.url);
  await fetch(new URL('/api/v1/web/users', door), {
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
  const headers = backend.arrivals[0]?.headers;
  expect(headers?.['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
  expect(headers?.['x-clearframe-internal']).toBe(SECRETS.CLEARFRAME_INTERNAL_SECRET);
  expect(headers?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers?.authorization).toBe('Bearer token');
  expect(headers).not.toHaveProperty('x-real-ip');
  expect(headers).not.toHaveProperty('forwarded');
  expect(headers).not.toHaveProperty('cookie');
});

test('an upload reaches the backend while it is still being sent', async () => {
  let tell = (_chunk: string): void => {};
  const first = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const backend = await startBackend((request, response) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      if (received === 0) tell(chunk.toString());
      received += chunk.length;
    });
    request.on('end', () => response.end(String(received)));
  });
  const door = await openDoor(backend.url);
  const outgoing = http.request(new URL('/media/uploads/1', door), { method: 'PUT' });
  outgoing.write('first');
  expect(await first).toBe('first');
  outgoing.end('last');
  const answer = await new Promise<http.IncomingMessage>((resolve) => outgoing.once('response', resolve));
  expect((await answer.toArray()).join('')).toBe('9');
});

test('an upload that breaks off breaks off at the backend too', async () => {
  let tell = (): void => {};
  const broken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const backend = await startBackend((request) => {
    request.once('data', () => outgoing.destroy());
    request.once('error', tell);
  });
  const door = await openDoor(backend.url);
  const outgoing = http.request(new URL('/media/uploads/1', door), { method: 'PUT' });
  outgoing.on('error', () => {});
  outgoing.write('first');
  await broken;
});

test('an aborted download is stopped at the backend', async () => {
  let tell = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const backend = await startBackend((_request, response) => {
    response.once('close', tell);
    response.writeHead(200, { 'content-length': '1000' }).write('some');
  });
  const gone = new AbortController();
  const answer = await fetch(new URL('/media/1', await openDoor(backend.url)), { signal: gone.signal });
  expect(answer.status).toBe(200);
  gone.abort();
  await stopped;
});

test('a download that breaks off at the backend does not look complete', async () => {
  const backend = await startBackend((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('some', () => response.destroy());
  });
  const answer = await fetch(new URL('/media/1', await openDoor(backend.url)));
  await expect(answer.text()).rejects.toThrow();
});

test('a part of a file comes back as a part', async () => {
  const backend = await startBackend((request, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-3/10', 'x-asked': request.headers.range }).end('abcd');
  });
  const answer = await fetch(new URL('/media/1', await openDoor(backend.url)), { headers: { range: 'bytes=0-3' } });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toBe('bytes 0-3/10');
  expect(answer.headers.get('x-asked')).toBe('bytes=0-3');
  expect(await answer.text()).toBe('abcd');
});

test('says so when the backend is away', async () => {
  const answer = await fetch(new URL('/api/v1/web/users', await openDoor(await deadAddress())), { method: 'POST' });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({
    error_code: 'service.unavailable',
    request_id: answer.headers.get('x-request-id'),
  });
});

test('keeps to itself what is not the backend’s', async () => {
  const backend = await startBackend((_request, response) => void response.end('theirs'));
  const answer = await fetch(new URL('/metrics', await openDoor(backend.url)));
  expect(await answer.text()).toBe('ours');
  expect(backend.arrivals).toEqual([]);
});
