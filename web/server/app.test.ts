import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServerBuild } from '@remix-run/node';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { sendJson, startBackend } from '../test/backend.ts';
import { SECRETS } from '../test/context.ts';
import { configureTimeouts, createApp } from './app.ts';
import { builtAssets } from './assets.ts';
import { readSettings } from './config/settings.ts';
import { PageMetrics } from './page-metrics.ts';

/** Only their addresses: no page is rendered here. */
const ROUTES = {
  root: { id: 'root', path: '' },
  task: { id: 'task', parentId: 'root', path: 'tasks/:taskId' },
} as unknown as ServerBuild['routes'];

async function startServer(
  apiUrl: URL,
  env: Readonly<Record<string, string>> = {},
  clientFolder = '/nonexistent',
  metrics?: PageMetrics,
) {
  const settings = readSettings({ ...SECRETS, API_URL: apiUrl.origin, ...env });
  const logger = pino({ level: 'silent' });
  const pages = {
    build: { routes: ROUTES } as ServerBuild,
    assets: builtAssets(clientFolder),
    allowsInlineStyles: false,
  };
  const server = createApp({ settings, logger, pages, metrics }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

async function statusOf(port: number, headers: Readonly<Record<string, string>>, path = '/'): Promise<number> {
  const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test.each(['localhost"><script>', 'a/b', 'a b', 'user@host', '[', 'a:b:c', 'x?y', 'x#y'])(
  'the invalid host %s is rejected with 400',
  async (host) => {
    const { port } = await startServer(new URL('http://127.0.0.1:1'));
    expect(await statusOf(port, { host })).toBe(400);
  },
);

test.each([
  [200, { status: 'ready', dependencies: { api: 'up' } }],
  [503, { status: 'degraded', dependencies: { api: 'down' } }],
])('it serves pages, and says so, where api answers %i', async (status, report) => {
  const backend = await startBackend((_request, response) => sendJson(response, status, {}));
  const { port } = await startServer(backend.url);
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([response.status, await response.json()]).toEqual([200, report]);
  expect(backend.requests.map(({ path }) => path)).toEqual(['/readyz']);
});

test.each(['TRACE', 'PROPFIND'])('the method %s is rejected with 405', async (method) => {
  const { port } = await startServer(new URL('http://127.0.0.1:1'));
  const request = http.request({ host: '127.0.0.1', port, method, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(405);
});

test.each([
  ['no proxy is trusted', {}, '127.0.0.1'],
  ['the nearest proxy is trusted', { TRUSTED_PROXIES: 'loopback' }, '198.51.100.7'],
  ['two proxies are trusted', { TRUSTED_PROXIES: '127.0.0.0/8, 198.51.100.7' }, '203.0.113.9'],
  ['another proxy is trusted', { TRUSTED_PROXIES: '10.0.0.0/8' }, '127.0.0.1'],
])('forwards the client address when %s', async (_case, env, expected) => {
  const backend = await startBackend((_request, response) => void response.end());
  const { port } = await startServer(backend.url, env);
  await statusOf(port, { 'x-forwarded-for': 'made up, 203.0.113.9, 198.51.100.7' }, '/api/v1/web/users');
  expect(backend.requests[0]?.headers['x-forwarded-for']).toBe(expected);
});

test('slow requests outlast an upload URL, idle connections do not', async () => {
  const { server } = await startServer(new URL('http://127.0.0.1:1'));
  configureTimeouts(server);
  expect(server.requestTimeout).toBeGreaterThan(15 * 60_000);
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.timeout).toBeLessThan(server.requestTimeout);
  expect(server.headersTimeout).toBeLessThan(server.timeout);
});

test.each([
  ['br', 'br, gzip, deflate', brotliCompressSync('1')],
  ['gzip', 'gzip', gzipSync('1')],
  [null, 'identity', Buffer.from('1')],
])('an asset is served as compressed by the build: %s', async (encoding, accepted, bytes) => {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-web-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/a.js'), '1');
  await writeFile(join(folder, 'assets/a.js.br'), brotliCompressSync('1'));
  await writeFile(join(folder, 'assets/a.js.gz'), gzipSync('1'));
  const { port } = await startServer(new URL('http://127.0.0.1:1'), {}, folder);
  const headers = { 'accept-encoding': accepted };
  const request = http.get({ host: '127.0.0.1', port, path: '/assets/a.js', headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.headers['content-encoding'] ?? null).toBe(encoding);
  expect(response.headers['content-type']).toMatch(/javascript/);
  expect(response.headers['cache-control']).toMatch(/immutable/);
  expect(response.headers.vary).toMatch(/accept-encoding/i);
  expect(Buffer.concat(await response.toArray())).toEqual(bytes);
});

test('pages are measured by their route, on a port of its own', async () => {
  const metrics = new PageMetrics();
  const { port } = await startServer(new URL('http://127.0.0.1:1'), {}, undefined, metrics);
  const server = metrics.serve(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await statusOf(port, {}, '/tasks/3c2f9f0e');
  await statusOf(port, {}, '/nowhere');
  const read = async () => (await fetch(`${address}/metrics`)).text();
  await expect
    .poll(read)
    .toContain('clearframe_page_seconds_count{method="GET",route="/tasks/:taskId",status="500"} 1');
  await expect.poll(read).toContain('clearframe_page_seconds_count{method="GET",route="none",status="500"} 1');
  expect(await statusOf(port, {}, '/metrics')).toBe(500);
  expect((await fetch(`${address}/`)).status).toBe(404);
});
