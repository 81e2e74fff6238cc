import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { settingsFor } from '../../test/context.ts';
import { sameOriginOnly } from './same-origin.ts';

async function startServer(): Promise<string> {
  const app = express();
  app.use(sameOriginOnly(settingsFor(new URL('http://127.0.0.1:4000'), 'https://clearframe.test')));
  app.use((request, response) => response.send(request.headers['x-forwarded-host'] ?? ''));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send = async (method: string, headers: Record<string, string>) => {
  const origin = await startServer();
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', origin)]));
  return fetch(origin, { method, headers: own });
};

test.each([
  ['our own page', { origin: 'OWN' }],
  ['our own page behind a proxy', { origin: 'https://clearframe.test' }],
  ['a client that is no browser', {}],
  ['files shared with the installed app', { 'sec-fetch-site': 'none' }],
  ['files shared with the installed app, from an opaque origin', { 'sec-fetch-site': 'none', origin: 'null' }],
])('allows %s to POST', async (_sender, headers) => {
  expect((await send('POST', headers)).status).toBe(200);
});

test.each([
  ['another site', { origin: 'https://evil.test' }],
  ['another site with a forged forwarded host', { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' }],
  ['a page with an opaque origin', { origin: 'null' }],
  ['another site in a browser', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['an invalid origin', { origin: 'nonsense' }],
  ['a sibling site', { 'sec-fetch-site': 'same-site' }],
])('rejects a POST of %s', async (_sender, headers) => {
  expect((await send('POST', headers)).status).toBe(403);
});

test('allows GET from any origin', async () => {
  expect((await send('GET', { origin: 'https://evil.test' })).status).toBe(200);
});

test('removes the forwarded host of a client', async () => {
  expect(await (await send('POST', { 'x-forwarded-host': 'evil.test' })).text()).toBe('');
});
