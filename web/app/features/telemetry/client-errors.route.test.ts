import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend.ts';
import { contextFor } from '../../../test/context.ts';
import { guestCookieOf } from '../../../test/users';
import { action } from './client-errors.route';

const report = (change: object = {}) =>
  JSON.stringify({
    ...{ id: randomUUID(), source: 'error', message: 'x is undefined', stack: 'at y', path: '/result', requestId: 'r' },
    ...{ errorCode: null },
    ...change,
  });

const send = (backend: { readonly url: URL }, text: string, length = text.length) => {
  const headers = { 'content-type': 'application/json', 'content-length': String(length) };
  const request = new Request('http://clearframe.test/client-errors', { method: 'POST', headers, body: text });
  return action({ request, context: contextFor(backend.url), params: {} });
};

test('an error of a page reaches the monitoring', async () => {
  const bodies: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join('')));
    sendJson(response, 202, { accepted: 1 });
  });
  expect((await send(backend, report())).status).toBe(202);
  expect(backend.requests).toMatchObject([{ method: 'POST', path: '/api/v2/public/apps/web/events' }]);
  expect(bodies).toMatchObject([
    {
      payloads: [
        {
          severity: 'error',
          categories: ['script', 'error'],
          description: 'x is undefined',
          info: { path: '/result', stack: 'at y', request_id: 'r' },
        },
      ],
    },
  ]);
});

test.each([
  ['', null],
  ['clearframe_cookies=C0004; ', null],
  ['clearframe_cookies=C0002; ', 'user-1'],
])('the code is reported, and the user with consent to measurement: %j', async (consent, userId) => {
  const bodies: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join('')));
    sendJson(response, 202, { accepted: 1 });
  });
  const context = contextFor(backend.url);
  const token = `a.${Buffer.from(JSON.stringify({ sub: 'user-1' })).toString('base64url')}.c`;
  const guest = await guestCookieOf(token, context);
  const text = report({ errorCode: 'auth/internal-error' });
  const headers = { 'content-length': String(text.length), cookie: `${consent}${guest}` };
  const request = new Request('http://clearframe.test/client-errors', { method: 'POST', headers, body: text });
  expect((await action({ request, context, params: {} })).status).toBe(202);
  expect(bodies).toMatchObject([{ user_id: userId, payloads: [{ error_code: 'auth/internal-error' }] }]);
});

test('another host of the monitoring gets it without our secrets', async () => {
  const host = await startBackend((_request, response) => sendJson(response, 202, {}));
  const text = report();
  const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
  const request = new Request('http://clearframe.test/client-errors', { method: 'POST', headers, body: text });
  const context = contextFor(new URL('http://127.0.0.1:1'));
  const settings = { ...context.settings, monitoring: { url: host.url, appId: 'photos' } };
  expect((await action({ request, context: { ...context, settings }, params: {} })).status).toBe(202);
  expect(host.requests).toMatchObject([{ method: 'POST', path: '/v2/public/apps/photos/events' }]);
  expect(host.requests[0]?.headers).not.toHaveProperty('x-clearframe-internal');
});

test('a refusal of the monitoring causes no error for the visitor', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  expect((await send(backend, report())).status).toBe(202);
});

test.each([
  ['no JSON', '{', 1, 422],
  ['an unknown source', report({ source: 'guess' }), 200, 422],
  ['a long text', report({ message: 'x'.repeat(501) }), 700, 422],
  ['a long code', report({ errorCode: 'x'.repeat(101) }), 300, 422],
  ['too large', '{}', 16_001, 413],
])('an invalid report is not passed on: %s', async (_case, text, length, status) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 0 }));
  expect((await send(backend, text, length)).status).toBe(status);
  expect(backend.requests).toEqual([]);
});
