import { randomUUID } from 'node:crypto';
import type { WebEvent } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor, cookieHeader, nextContext } from '../../../test/context';
import { memberCookie } from '../../../test/users';
import { consumeFlash } from '../../session/flash.server';
import { trackStart } from '../telemetry/operations.server';
import { loader as handlePaymentReturn } from './return.route';

const TASK_ID = randomUUID();
const RETURN = `http://clearframe.test/checkout/return?redirect_status=succeeded&payment_intent=pi_1&taskId=${TASK_ID}`;

const YEARLY = {
  id: 'personal_yearly_usd',
  price_id: 'p_1',
  amount_cents: 26_099,
  currency: 'usd',
  recurring_interval: 'week',
  recurring_interval_count: 52,
  exports: 1040,
  paypal_plan_id: null,
  paypal_plan_no_ft_id: null,
};

/** @returns the next address with its flash message */
async function arriveWith(answer: Parameters<typeof startBackend>[0], query = '') {
  const context = contextFor((await startBackend(answer)).url);
  const request = new Request(`${RETURN}${query}`, { headers: { cookie: await memberCookie(context) } });
  const { headers } = await handlePaymentReturn({ request, context, params: {} });
  const next = new Request(RETURN, { headers: { cookie: cookieHeader(context.cookies) } });
  return [headers.get('location'), (await consumeFlash({ request: next, context }))?.message ?? null];
}

test('a payment leads to its photo', async () => {
  const arrived = await arriveWith((_request, response) =>
    sendJson(response, 200, { status: 'succeeded', available_credits: 1 }),
  );
  expect(arrived).toEqual([`/result?taskId=${TASK_ID}&bought=photo`, 'paid']);
});

test('a payment whose file takes longer leads there as well', async () => {
  const arrived = await arriveWith(
    (request, response) =>
      request.url?.includes('/export')
        ? sendProblem(response, 'service.unavailable')
        : sendJson(response, 200, { status: 'succeeded', available_credits: 1 }),
    '&willDownloadAutomatically=true',
  );
  expect(arrived).toEqual([`/result?taskId=${TASK_ID}&bought=photo&download=1`, 'paid']);
});

test('the second payment leads there too, and says that it is refunded', async () => {
  const arrived = await arriveWith((_request, response) => sendProblem(response, 'payments.duplicate'));
  expect(arrived).toEqual([`/result?taskId=${TASK_ID}`, 'paidTwice']);
});

test('a payment that can’t be confirmed yet doesn’t lead to the checkout, where it would be paid again', async () => {
  const arrived: unknown = await arriveWith((_request, response) => sendProblem(response, 'service.unavailable')).catch(
    (thrown: unknown) => thrown,
  );
  expect(arrived).toBeInstanceOf(Response);
  expect(await (arrived as Response).json()).toMatchObject({ refusal: { reason: 'unconfirmed', has: null } });
});

test('a payment of another order leads back to the plans with the problem', async () => {
  const arrived = await arriveWith((_request, response) => sendProblem(response, 'payments.mismatch'));
  expect(arrived).toEqual(['/upgrade', null]);
});

test.each([
  ['PayPal through Stripe', { setup_intent: 'seti_1', setup_intent_client_secret: 'seti_1_secret_2' }, 'wallet_failed'],
  ['PayPal through Stripe, paid once', { payment_intent: 'pi_1', paymentMethodType: 'paypal' }, 'wallet_failed'],
  ['PayPal', { subscription_id: 'I-1' }, 'wallet_failed'],
  ['a card after 3-D Secure', { setup_intent: 'seti_1', paymentMethodType: 'card' }, 'payments.declined'],
])('a failed redirect of %s names the method, and keeps `v`', async (_name, returned, problem) => {
  const query = new URLSearchParams({ redirect_status: 'failed', ...returned, priceId: 'p_1', v: '2' });
  const request = new Request(`http://clearframe.test/checkout/return?${query}`);
  const { headers } = await handlePaymentReturn({
    request,
    context: contextFor(new URL('http://api.test')),
    params: {},
  });
  expect(headers.get('location')).toBe(`/checkout?problem=${problem}&priceId=p_1&v=2`);
});

test('the approval of another period says how one pays now', async () => {
  const address = 'http://clearframe.test/checkout/return?redirect_status=succeeded&isUpgrade=true&isPeriodChange=true';
  const context = contextFor(
    (
      await startBackend(({ url }, response) =>
        url?.includes('/prices')
          ? sendJson(response, 200, { prices: [YEARLY] })
          : sendJson(response, 200, { status: 'active', subscription_id: 'I-2' }),
      )
    ).url,
  );
  const request = new Request(`${address}&subscription_id=I-2&priceId=p_1`, {
    headers: { cookie: await memberCookie(context) },
  });
  const { headers } = await handlePaymentReturn({ request, context, params: {} });
  expect(headers.get('location')).toBe('/account/subscription');
  const next = new Request(address, { headers: { cookie: cookieHeader(context.cookies) } });
  expect((await consumeFlash({ request: next, context }))?.message).toBe('paysYearly');
});

/** The events of a return without a session. */
async function eventsOf(query: Record<string, string>, { hasStart = false } = {}) {
  const events: WebEvent[] = [];
  const backend = await startBackend(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join('') || '{}');
    if (request.url === '/api/v4/web-events') events.push(...body.events);
    if (request.url?.endsWith('/users')) return sendJson(response, 201, { access_token: 'guest' });
    return sendProblem(response, 'payments.mismatch');
  });
  const url = `http://clearframe.test/checkout/return?${new URLSearchParams({ priceId: 'one', ...query })}`;
  const context = contextFor(backend.url);
  const started = nextContext(context);
  const consent = new Request(url, { headers: { cookie: 'clearframe_cookies=C0002' } });
  const payment = { kind: 'payment', details: { priceId: 'one', method: 'card' } } as const;
  if (hasStart) await trackStart(payment, { request: consent, context: started }, true);
  const headers = { cookie: `clearframe_cookies=C0002; ${cookieHeader(started.cookies)}` };
  await handlePaymentReturn({ request: new Request(url, { headers }), context, params: {} });
  await expect.poll(() => events.length).toBeGreaterThan(0);
  return events.map(({ kind, data }): Record<string, unknown> => ({ name: kind, ...data }));
}

test.each([
  [{ redirect_status: 'canceled' }, { operation: 'canceled' }],
  [
    { redirect_status: 'failed', paymentMethodType: 'card' },
    { operation: 'failed', errorCode: 'payments.declined' },
  ],
  [
    { redirect_status: 'succeeded', payment_intent: 'pi_1' },
    { operation: 'failed', errorCode: 'payments.mismatch' },
  ],
])('the end of a payment is tracked with its duration: %j', async (query, end) => {
  const [event, ...others] = await eventsOf({ ...query, method: 'card' }, { hasStart: true });
  expect(event).toMatchObject({ name: 'payment', priceId: 'one', method: 'card', ...end });
  expect(event?.durationMs).toEqual(expect.any(Number));
  expect(others).toEqual([]);
});

test('an upgrade by wallet ends as one, and an end without a start is a warning', async () => {
  const [event, warning] = await eventsOf({ redirect_status: 'failed', isUpgrade: 'true', subscription_id: 'I-1' });
  expect(event).toMatchObject({ name: 'upgrade', method: 'wallet', operation: 'failed', errorCode: 'wallet_failed' });
  expect(event).not.toHaveProperty('durationMs');
  expect(warning).toMatchObject({ name: 'operationWarning', warning: 'not_started' });
});
