import { randomUUID } from 'node:crypto';
import type { WebEvent } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../../test/backend.ts';
import { contextFor } from '../../../../test/context.ts';
import { recordEvents } from './events.server';

const shown = (): WebEvent => ({
  id: randomUUID(),
  timestamp: '2026-11-23T12:00:00.000Z',
  type: 'UserAction',
  kind: 'paywall',
  data: { action: 'shown', previousAction: 'watermark', priceIds: ['one'] },
});

interface Sending {
  readonly length?: number;
  readonly cookie?: string;
  readonly analyticsUrl?: URL;
}

const send = (backend: { readonly url: URL }, text: string, { length, cookie = '', analyticsUrl }: Sending = {}) => {
  const headers = { 'content-type': 'application/json', 'content-length': String(length ?? text.length), cookie };
  const request = new Request('http://clearframe.test/events', { method: 'POST', headers, body: text });
  const context = contextFor(backend.url);
  const settings = { ...context.settings, analyticsUrl: analyticsUrl ?? null };
  return recordEvents({ request, context: { ...context, settings }, params: {} });
};

const CLIENT_ID = /^clearframe_client_id=(\S+);/;

test.each([
  [true, 'true'],
  [false, undefined],
])('a batch reaches the analytics: anonymous %s', async (isAnonymous, header) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const { status } = await send(backend, JSON.stringify({ isAnonymous, events: [shown()] }));
  expect(status).toBe(202);
  expect(backend.requests).toMatchObject([{ method: 'POST', path: '/api/v4/web-events' }]);
  expect(backend.requests[0]?.headers['x-anonymous']).toBe(header);
  expect(backend.requests[0]?.headers['x-client-version']).toBe('1.143.0');
});

test('a browser has an id with consent, the same for all its events', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const text = JSON.stringify({ isAnonymous: false, events: [shown()] });
  const first = (await send(backend, text)).headers.get('set-cookie') ?? '';
  expect(first).toMatch(/Max-Age=63072000; .*HttpOnly/);
  const cookie = `clearframe_client_id=${CLIENT_ID.exec(first)?.[1]}`;
  expect((await send(backend, text, { cookie })).headers.get('set-cookie')).toBeNull();
  const ids = backend.requests.map(({ headers }) => headers['x-client-id']);
  expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
  expect(ids).toEqual([ids[0], ids[0]]);

  // Withdrawn.
  const anonymous = JSON.stringify({ isAnonymous: true, events: [shown()] });
  expect((await send(backend, anonymous, { cookie })).headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await send(backend, anonymous)).headers.get('set-cookie')).toBeNull();
  expect(backend.requests.map(({ headers }) => headers['x-client-id']).slice(2)).toEqual([undefined, undefined]);
});

test('another host gets the ids in each event, and no secret', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const bodies: unknown[] = [];
  const host = await startBackend(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join('')));
    sendProblem(response, 'request.rate_limited');
  });
  const analyticsUrl = new URL('/collect/', host.url);
  for (const isAnonymous of [false, true])
    expect((await send(backend, JSON.stringify({ isAnonymous, events: [shown()] }), { analyticsUrl })).status).toBe(
      202,
    );
  expect(backend.requests).toEqual([]);
  expect(host.requests).toMatchObject([
    { method: 'POST', path: '/collect/v4/web-events' },
    { method: 'POST', path: '/collect/v4/web-events', headers: { 'x-anonymous': 'true' } },
  ]);
  for (const { headers } of host.requests)
    expect(Object.keys(headers).filter((name) => /authorization|cookie|internal|forwarded/.test(name))).toEqual([]);
  const id = expect.stringMatching(/./);
  expect(bodies).toMatchObject([
    { events: [{ kind: 'paywall', app: { name: 'web' }, request_timestamp: id, client_id: id, local_storage_id: id }] },
    { events: [{ kind: 'paywall', data: { previousAction: 'watermark' } }] },
  ]);
  expect(JSON.stringify(bodies[1])).not.toContain('client_id');
});

test('a refusal of the analytics causes no error for the visitor', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  expect((await send(backend, JSON.stringify({ isAnonymous: true, events: [shown()] }))).status).toBe(202);
});

test.each([
  ['no JSON', '{', 1, 422],
  ['no events', '{"isAnonymous":true,"events":[]}', 32, 422],
  ['too large', '{}', 64_001, 413],
])('an invalid batch is not passed on: %s', async (_case, text, length, status) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 0 }));
  expect((await send(backend, text, { length })).status).toBe(status);
  expect(backend.requests).toEqual([]);
});
