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

const send = (backend: { readonly url: URL }, text: string, length = text.length) => {
  const headers = { 'content-type': 'application/json', 'content-length': String(length) };
  const request = new Request('http://clearframe.test/events', { method: 'POST', headers, body: text });
  return recordEvents({ request, context: contextFor(backend.url), params: {} });
};

test.each([
  [true, 'true'],
  [false, undefined],
])('a batch reaches the analytics: anonymous %s', async (isAnonymous, header) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const { status } = await send(backend, JSON.stringify({ isAnonymous, events: [shown()] }));
  expect(status).toBe(202);
  expect(backend.requests).toMatchObject([{ method: 'POST', path: '/api/v4/web-events' }]);
  expect(backend.requests[0]?.headers['x-anonymous']).toBe(header);
});

test('a refusal of the analytics is no error for the visitor', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  expect((await send(backend, JSON.stringify({ isAnonymous: true, events: [shown()] }))).status).toBe(202);
});

test.each([
  ['no JSON', '{', 1, 422],
  ['no events', '{"isAnonymous":true,"events":[]}', 32, 422],
  ['too large', '{}', 64_001, 413],
])('an invalid batch is not passed on: %s', async (_case, text, length, status) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 0 }));
  expect((await send(backend, text, length)).status).toBe(status);
  expect(backend.requests).toEqual([]);
});
