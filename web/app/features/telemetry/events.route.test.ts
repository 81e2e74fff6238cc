import { randomUUID } from 'node:crypto';
import { Settings, toWire, type WebEvent } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend.ts';
import { contextFor, cookieHeader } from '../../../test/context.ts';
import { SETTINGS } from '../../../test/settings.ts';
import { openMemberSession } from '../../session/session.server';
import { trackingIdsIn } from '../../session/tracking-ids.server';
import { action } from './events.route';

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

/** @returns the status and the cookies of the response */
async function send(backend: { readonly url: URL }, text: string, { length, cookie = '', analyticsUrl }: Sending = {}) {
  const headers = { 'content-type': 'application/json', 'content-length': String(length ?? text.length), cookie };
  const request = new Request('http://clearframe.test/events', { method: 'POST', headers, body: text });
  const context = contextFor(backend.url);
  const settings = { ...context.settings, analyticsUrl: analyticsUrl ?? null };
  const { status } = await action({ request, context: { ...context, settings }, params: {} });
  return { status, cookies: context.cookies };
}

/** Events also carry the experiments in the visitor's settings. */
const sentTo = ({ requests }: Awaited<ReturnType<typeof startBackend>>) =>
  requests.filter(({ path }) => path === '/api/v4/web-events');

test.each([
  [true, 'true'],
  [false, undefined],
])('a batch reaches the analytics: anonymous %s', async (isAnonymous, header) => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const { status } = await send(backend, JSON.stringify({ isAnonymous, events: [shown()] }));
  expect(status).toBe(202);
  expect(sentTo(backend)).toMatchObject([{ method: 'POST' }]);
  expect(sentTo(backend)[0]?.headers['x-anonymous']).toBe(header);
  expect(sentTo(backend)[0]?.headers['x-client-version']).toBe('1.143.0');
});

test('a browser has ids with consent, the same for all its events', async () => {
  const bodies: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (request.url === '/api/v4/web-events') bodies.push(JSON.parse(body).events[0].ids);
    sendJson(response, 202, { accepted: 1 });
  });
  const text = JSON.stringify({ isAnonymous: false, events: [{ ...shown(), ids: { anonymous_id: 'forged' } }] });
  const first = await send(backend, text);
  expect(first.cookies).toEqual([
    expect.stringMatching(/^clearframe_client_id=.*Max-Age=63072000; .*HttpOnly/),
    expect.stringMatching(/^clearframe_anonymous_id=.*Max-Age=63072000; .*HttpOnly/),
  ]);
  const cookie = cookieHeader(first.cookies);
  expect((await send(backend, text, { cookie })).cookies).toEqual([]);
  const ids = sentTo(backend).map(({ headers }) => headers['x-client-id']);
  expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
  expect(ids).toEqual([ids[0], ids[0]]);
  const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
  expect(bodies[0]).toEqual({ anonymous_id: uuid, local_storage_id: 'req-from-web' });
  expect(bodies[1]).toEqual(bodies[0]);

  // Withdrawn.
  const anonymous = JSON.stringify({ isAnonymous: true, events: [{ ...shown(), ids: { anonymous_id: 'forged' } }] });
  const withdrawn = (await send(backend, anonymous, { cookie })).cookies;
  expect(withdrawn).toEqual([expect.stringContaining('Max-Age=0'), expect.stringContaining('Max-Age=0')]);
  expect((await send(backend, anonymous)).cookies).toEqual([]);
  expect(
    sentTo(backend)
      .map(({ headers }) => headers['x-client-id'])
      .slice(2),
  ).toEqual([undefined, undefined]);
  expect(bodies.slice(2)).toEqual([undefined, undefined]);
});

test('the account is a stored id while it is logged in, and a logout begins another anonymous id', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, { accepted: 1 }));
  const context = contextFor(backend.url);
  const token = `a.${Buffer.from(JSON.stringify({ sub: 'user-1' })).toString('base64url')}.c`;
  const since = Date.now();
  await openMemberSession({ token, email: null, source: null, since, renewedAt: since }, context);
  const text = JSON.stringify({ isAnonymous: false, events: [shown()] });
  const loggedIn = cookieHeader((await send(backend, text, { cookie: cookieHeader(context.cookies) })).cookies);
  const idsOf = (cookie: string) => trackingIdsIn(new Request('http://clearframe.test', { headers: { cookie } }));
  const member = await idsOf(loggedIn);
  expect(member).toMatchObject({ trackingUserId: 'user-1', anonymousId: expect.any(String) });
  const loggedOut = await idsOf(cookieHeader((await send(backend, text, { cookie: loggedIn })).cookies));
  expect(loggedOut).toMatchObject({ trackingUserId: null, clientId: null });
  expect(loggedOut.anonymousId).not.toBeNull();
  expect(loggedOut.anonymousId).not.toBe(member.anonymousId);
});

test('the id of an external onboarding is stored with consent, and sent with later events', async () => {
  const bodies: { info: object; ids: object }[] = [];
  const backend = await startBackend(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (request.url === '/api/v4/web-events') bodies.push(JSON.parse(body).events[0]);
    sendJson(response, 202, { accepted: 1 });
  });
  const info = { path: '/onboarding', web_onboarding_local_storage_id: 'from-the-funnel' };
  const first = await send(backend, JSON.stringify({ isAnonymous: false, events: [{ ...shown(), info }] }));
  const later = JSON.stringify({ isAnonymous: false, events: [shown()] });
  await send(backend, later, { cookie: cookieHeader(first.cookies) });
  expect(bodies[1]?.ids).toMatchObject({ web_onboarding_local_storage_id: 'from-the-funnel' });
});

test('each event names the experiments with the visitor’s segments', async () => {
  const bodies: unknown[] = [];
  const asked: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join(''));
    if (request.url?.endsWith('/settings')) {
      asked.push(body);
      return sendJson(response, 200, toWire(Settings, { ...SETTINGS, experiments: { label: 'b' } }));
    }
    bodies.push(...body.events.map(({ info }: WebEvent) => info));
    return sendJson(response, 202, { accepted: 1 });
  });
  await send(backend, JSON.stringify({ isAnonymous: false, events: [{ ...shown(), info: { path: '/upgrade' } }] }));
  expect(bodies).toEqual([{ path: '/upgrade', experiments: { label: 'b' } }]);
  expect(asked).toMatchObject([{ local_storage_id: 'req-from-web', device_type: 'desktop', language: 'en' }]);
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
  expect(sentTo(backend)).toEqual([]);
  expect(host.requests).toMatchObject([
    { method: 'POST', path: '/collect/v4/web-events' },
    { method: 'POST', path: '/collect/v4/web-events', headers: { 'x-anonymous': 'true' } },
  ]);
  for (const { headers } of host.requests)
    expect(Object.keys(headers).filter((name) => /authorization|cookie|internal|forwarded/.test(name))).toEqual([]);
  const id = expect.stringMatching(/./);
  expect(bodies).toMatchObject([
    {
      events: [
        {
          ...{ kind: 'paywall', app: { name: 'web' }, request_timestamp: id },
          ...{ client_id: id, anonymous_id: id, local_storage_id: id },
        },
      ],
    },
    { events: [{ kind: 'paywall', data: { previousAction: 'watermark' } }] },
  ]);
  expect(JSON.stringify(bodies[1])).not.toMatch(/client_id|anonymous_id|local_storage_id/);
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
