import type { ServerResponse } from 'node:http';
import { toWire, User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { formRequest } from '../../../test/forms';
import { ADA, memberCookie } from '../../../test/users';
import { loadRedeem, loadRedeemed, redeem } from './redeem.server';

type Backend = Awaited<ReturnType<typeof startBackend>>;

const answering = (answer: (response: ServerResponse) => void) =>
  startBackend((_request, response) => answer(response));

const cookieFor = (backend: Backend): Promise<string> => memberCookie(contextFor(backend.url));

const submit = (backend: Backend, path: string, fields: Record<string, string>, cookie = '') =>
  redeem({ request: formRequest(path, fields, cookie), context: contextFor(backend.url), params: {} });

const locationOf = (answer: unknown): string | null =>
  answer instanceof Response ? answer.headers.get('location') : null;

test('a code is redeemed for the account, and the page says so', async () => {
  const backend = await answering((response) =>
    sendJson(response, 200, { gift_code: { is_active: true, expiry_at: '2030-01-31T00:00:00.000Z' } }),
  );
  const answer = await submit(backend, '/redeem?v=b', { code: ' GIFT-1234 ' }, await cookieFor(backend));
  expect(locationOf(answer)).toBe('/redeem/done?v=b');
  expect(backend.requests.map(({ path }) => path)).toEqual(['/api/v1/web/gift-codes/redeem']);
});

test('a guest logs in first and keeps the code', async () => {
  const backend = await answering((response) => sendProblem(response, 'service.unavailable'));
  const answer = await submit(backend, '/redeem', { code: 'GIFT-1234' });
  expect(locationOf(answer)).toBe('/login?returnTo=%2Fredeem%3FredeemCode%3DGIFT-1234');
  expect(backend.requests).toEqual([]);
});

test.each([
  ['gift_codes.not_found', { problem: null, result: { error: { code: ['gift_codes.not_found'] } } }],
  ['gift_codes.used', { problem: null, result: { error: { code: ['gift_codes.used'] } } }],
  ['service.unavailable', { problem: { code: 'service.unavailable' } }],
] as const)('%s keeps the entered code', async (code, expected) => {
  const backend = await answering((response) => sendProblem(response, code));
  const answer = await submit(backend, '/redeem', { code: 'GIFT-1234' }, await cookieFor(backend));
  expect(answer).toMatchObject({ data: { ...expected } });
  expect(answer).toMatchObject({ data: { result: { initialValue: { code: 'GIFT-1234' } } } });
});

test('an empty code is an error of the field, without an API call', async () => {
  const backend = await answering((response) => sendProblem(response, 'service.unavailable'));
  const answer = await submit(backend, '/redeem', { code: ' ' }, await cookieFor(backend));
  expect(answer).toMatchObject({ data: { result: { error: { code: [expect.any(String)] } } }, init: { status: 422 } });
  expect(backend.requests).toEqual([]);
});

test('the app’s subscription in the address is linked', async () => {
  const backend = await answering((response) => sendJson(response, 200, toWire(User, ADA)));
  const request = new Request('http://clearframe.test/redeem?backend_id=oracle-1');
  const page = await loadRedeem({ request, context: contextFor(backend.url), params: {} });
  expect(page).toMatchObject({ isMobile: true, isGuest: true });
  expect(locationOf(await submit(backend, '/redeem?backend_id=oracle-1', {}))).toBe(
    '/login?returnTo=%2Fredeem%3Fbackend_id%3Doracle-1',
  );
  const answer = await submit(backend, '/redeem?backend_id=oracle-1', {}, await cookieFor(backend));
  expect(locationOf(answer)).toBe('/redeem/done');
});

test.each(['', ' ', 'x'.repeat(256)])('the app’s account %j is an error of its field', async (id) => {
  const backend = await answering((response) => sendProblem(response, 'service.unavailable'));
  const request = new Request(`http://clearframe.test/redeem?${new URLSearchParams({ backend_id: id })}`);
  const page = await loadRedeem({ request, context: contextFor(backend.url), params: {} });
  expect(page).toMatchObject({ isMobile: false, appAccount: { error: { backend_id: [expect.any(String)] } } });
});

test('the app’s subscription of another address shows an error', async () => {
  const backend = await answering((response) => sendProblem(response, 'mobile.not_found'));
  const answer = await submit(backend, '/redeem?backend_id=oracle-1', {}, await cookieFor(backend));
  expect(answer).toMatchObject({ data: { problem: { code: 'mobile.not_found' } }, init: { status: 404 } });
});

test.each([
  ['a gift', { giftCode: { isActive: true, expiryAt: '2030-01-31T00:00:00.000Z' } }, 'January\u00a031,\u00a02030'],
  [
    'a subscription of the app',
    { monetization: { ...ADA.monetization, isSubscribed: true, subscriptionProvider: 'mobile' as const } },
    null,
  ],
])('the page after redeeming names %s', async (_case, changes, until) => {
  const backend = await answering((response) => sendJson(response, 200, toWire(User, { ...ADA, ...changes })));
  const headers = { cookie: await cookieFor(backend) };
  const request = new Request('http://clearframe.test/redeem/done', { headers });
  const page = await loadRedeemed({ request, context: contextFor(backend.url), params: {} });
  expect(page.until).toBe(until);
});

test('the page after redeeming redirects to the account when nothing was redeemed', async () => {
  const backend = await answering((response) => sendJson(response, 200, toWire(User, ADA)));
  const headers = { cookie: await cookieFor(backend) };
  const request = new Request('http://clearframe.test/redeem/done', { headers });
  const page = loadRedeemed({ request, context: contextFor(backend.url), params: {} });
  await expect(page).rejects.toMatchObject({ status: 303 });
});
