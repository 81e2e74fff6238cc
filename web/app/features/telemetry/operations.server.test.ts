import type { WebEvent } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend.ts';
import { contextFor, cookieHeader, nextContext } from '../../../test/context.ts';
import { guestCookieOf } from '../../../test/users';
import { ApiError } from '../../http/api.server';
import { takeStart, trackEnd, trackOperation, trackStart } from './operations.server';

const MEASURED = 'clearframe_cookies=C0002; ';

async function startAnalytics() {
  const received: { events: WebEvent[]; isAnonymous: boolean; token: string | undefined }[] = [];
  const backend = await startBackend(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join('') || '{}');
    if (request.url !== '/api/v4/web-events') return sendProblem(response, 'service.unavailable');
    const token = request.headers.authorization;
    if (token === 'Bearer ended') return sendProblem(response, 'users.not_authorized');
    received.push({ events: body.events, isAnonymous: request.headers['x-anonymous'] === 'true', token });
    return sendJson(response, 202, { accepted: 1 });
  });
  const context = contextFor(backend.url);
  const visit = (cookie: string, signal?: AbortSignal) => ({
    context: nextContext(context),
    request: new Request('http://clearframe.test/share?v=b', { headers: { cookie }, ...(signal && { signal }) }),
  });
  /** The data of the events of the next batch. */
  const next = async () => {
    await expect.poll(() => received.length).toBe(1);
    const [batch] = received.splice(0);
    return { ...batch, data: batch?.events.map(({ data }) => data) };
  };
  return { context, visit, next };
}

const share = { kind: 'share', details: {} } as const;

test('an operation of a request is tracked with its duration', async () => {
  const { visit, next } = await startAnalytics();
  expect(await trackOperation(share, visit(MEASURED), async () => 'link')).toBe('link');
  const { data, events, isAnonymous } = await next();
  expect(data).toEqual([{ operation: 'started' }, { operation: 'completed', durationMs: expect.any(Number) }]);
  expect(isAnonymous).toBe(false);
  expect(events?.[0]).toMatchObject({ type: 'UserAction', kind: 'share', info: { path: '/share', language: 'en' } });
});

test('a failure has its code and reaches the caller', async () => {
  const { context, visit, next } = await startAnalytics();
  const refused = ApiError.of('tasks.not_found', context.requestId);
  const work = () => Promise.reject(refused);
  await expect(trackOperation(share, visit(''), work)).rejects.toBe(refused);
  const { data, isAnonymous } = await next();
  expect(data?.[1]).toMatchObject({ operation: 'failed', errorCode: 'tasks.not_found' });
  expect(isAnonymous).toBe(true);
});

test('a result may be a failure, and an aborted request is canceled', async () => {
  const { visit, next } = await startAnalytics();
  const outcome = { step: 'failed', errorCode: 'incomplete' } as const;
  await trackOperation(
    share,
    visit(''),
    async () => null,
    () => outcome,
  );
  expect((await next()).data?.[1]).toMatchObject({ operation: 'failed', errorCode: 'incomplete' });
  const left = new AbortController();
  left.abort();
  await trackOperation(share, visit('', left.signal), () => Promise.reject(new Error('aborted'))).catch(() => {});
  expect((await next()).data?.[1]).toMatchObject({ operation: 'canceled' });
});

test('an operation that ends in another request is measured from its start', async () => {
  const { visit, next } = await startAnalytics();
  const payment = { kind: 'payment', details: { priceId: 'one', method: 'card' } } as const;
  const start = visit(MEASURED);
  await trackStart(payment, start);
  expect((await next()).data).toEqual([{ operation: 'started', priceId: 'one', method: 'card' }]);
  const back = visit(`${MEASURED}${cookieHeader(start.context.cookies)}`);
  const startedAt = await takeStart('payment', back);
  expect(startedAt).toBeLessThanOrEqual(Date.now());
  expect(back.context.cookies[0]).toContain('Max-Age=0');
  expect(await takeStart('payment', visit(MEASURED))).toBeNull();
  trackEnd(payment, { step: 'canceled', startedAt: Date.now() - 5_000 }, visit(MEASURED));
  const { data } = await next();
  expect(data).toMatchObject([{ operation: 'canceled', priceId: 'one' }]);
  expect(data?.[0]?.durationMs).toBeGreaterThanOrEqual(5_000);
});

test('without consent no start is kept, and its end is no warning', async () => {
  const { visit, next } = await startAnalytics();
  const start = visit('');
  await trackStart({ kind: 'upgrade', details: { priceId: 'one', method: 'wallet' } }, start);
  expect(start.context.cookies).toEqual([]);
  await next();
  const startedAt = await takeStart('upgrade', visit(''));
  trackEnd(share, { step: 'completed', startedAt }, visit(''));
  expect((await next()).data).toEqual([{ operation: 'completed' }]);
});

test('an end without a start is a warning', async () => {
  const { visit, next } = await startAnalytics();
  trackEnd(share, { step: 'completed', startedAt: null }, visit(MEASURED));
  const { data, events } = await next();
  expect(data).toEqual([{ operation: 'completed' }, { warning: 'not_started', kind: 'share', step: 'completed' }]);
  expect(events?.[1]).toMatchObject({ type: 'TechnicalEvent', kind: 'operationWarning' });
});

test('what ends the session is tracked without it', async () => {
  const { context, visit, next } = await startAnalytics();
  const guest = await guestCookieOf('ended', context);
  await trackOperation({ kind: 'logout', details: {} }, visit(`${MEASURED}${guest}`), async () => null);
  expect((await next()).token).toBeUndefined();
});

test('an operation does not wait for the analytics', async () => {
  const backend = await startBackend(() => {});
  const request = new Request('http://clearframe.test/share');
  expect(await trackOperation(share, { request, context: contextFor(backend.url) }, async () => 'link')).toBe('link');
});

test('what starts a session belongs to it', async () => {
  const { visit, next } = await startAnalytics();
  const login = { kind: 'login', details: { method: 'google' } } as const;
  const outcome = { step: 'completed', token: 'fresh' } as const;
  await trackOperation(
    login,
    visit(MEASURED),
    async () => null,
    () => outcome,
  );
  expect(await next()).toMatchObject({ token: 'Bearer fresh', data: [{}, { operation: 'completed' }] });
});
