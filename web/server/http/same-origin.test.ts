import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { settingsFor } from '../../test/context.ts';
import { sameOriginOnly } from './same-origin.ts';

async function openDoor(): Promise<string> {
  const app = express();
  app.use(sameOriginOnly(settingsFor(new URL('http://127.0.0.1:4000'), 'https://clearframe.test')));
  app.use((request, response) => response.send(request.headers['x-forwarded-host'] ?? ''));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send = async (method: string, headers: Record<string, string>) => {
  const door = await openDoor();
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', door)]));
  return fetch(door, { method, headers: own });
};

test.each([
  ['our own page', { origin: 'OWN' }],
  ['our own page behind another server', { origin: 'https://clearframe.test' }],
  ['a program', {}],
])('%s may change things', async (_who, headers) => {
  expect((await send('POST', headers)).status).toBe(200);
});

test.each([
  ['another site', { origin: 'https://evil.test' }],
  ['another site that makes up a forwarded host', { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' }],
  ['a page that hides where it is from', { origin: 'null' }],
  ['nonsense', { origin: 'nonsense' }],
  ['a sibling site', { 'sec-fetch-site': 'same-site' }],
])('%s may not', async (_who, headers) => {
  expect((await send('POST', headers)).status).toBe(403);
});

test('reading is allowed from anywhere', async () => {
  expect((await send('GET', { origin: 'https://evil.test' })).status).toBe(200);
});

test('a forwarded host is never taken from outside', async () => {
  expect(await (await send('POST', { 'x-forwarded-host': 'evil.test' })).text()).toBe('');
});
