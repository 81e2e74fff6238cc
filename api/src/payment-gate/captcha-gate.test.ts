import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROUTES } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';
import { UNVERIFIED_FORMS_PER_HOUR } from './captcha-gate.js';

const PACK = 'sbx_price_three_exports_usd';
const RETURN_PATH = '/checkout/return?priceId=x';

let google: Server;
let api: TestApi;

/** Like reCAPTCHA, rejects a missing or used token. The part of a token before the colon is its action. */
function startVerifier(): Server {
  const used = new Set<string>();
  return createServer(async (request, response) => {
    const token = new URLSearchParams(Buffer.concat(await request.toArray()).toString()).get('response') ?? '';
    const failure = token === '' ? 'missing-input-response' : used.has(token) ? 'timeout-or-duplicate' : null;
    used.add(token);
    const [action] = token.split(':');
    const solved = { success: true, challenge_ts: new Date(), hostname: '127.0.0.1', action, score: 0.9 };
    const answer = failure ? { success: false, 'error-codes': [failure] } : solved;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
}

beforeAll(async () => {
  google = startVerifier();
  await once(google, 'listening');
  const { port } = google.address() as AddressInfo;
  api = await startApi({ RECAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/recaptcha/api/siteverify` });
});
afterAll(async () => {
  await api.stop();
  google.closeAllConnections();
  google.close();
});

const tokenFor = (action: string) => `${action}:${randomUUID()}`;

function checkOut(visitor: Visitor, { token, network = '192.0.2.1', ...rest }: Record<string, string | undefined>) {
  const request = visitor
    .post('/checkouts', { price_id: PACK, provider: 'stripe', ...rest })
    .set('x-clearframe-internal', api.environment.CLEARFRAME_INTERNAL_SECRET ?? '')
    .set('x-forwarded-for', network);
  return token === undefined ? request : request.set('x-captcha-token', token);
}

const MISSING = { error_code: 'captcha.failed', details: { reasons: ['missing-input-response'] } };

describe('a request with a captcha token', () => {
  it('passes once, with the path of its route as the action', async () => {
    const member = await api.member();
    const token = tokenFor('/checkouts');
    await checkOut(member, { token }).expect(201);
    const repeated = await checkOut(member, { token }).expect(403);
    expect(repeated.body.details).toEqual({ reasons: ['timeout-or-duplicate'] });
    const other = await checkOut(member, { token: tokenFor('/stripe/intents') }).expect(403);
    expect(other.body.details).toEqual({ reasons: ['action-mismatch'] });
  });

  it('repeated with its idempotency key needs no second token', async () => {
    const member = await api.member();
    const [token, key] = [tokenFor('/checkouts'), randomUUID()];
    const first = await checkOut(member, { token }).set('idempotency-key', key).expect(201);
    const second = await checkOut(member, { token }).set('idempotency-key', key).expect(201);
    expect(second.body).toEqual(first.body);
  });

  it('has an action that reCAPTCHA accepts', () => {
    const verified = ROUTES.filter(({ captcha }) => captcha);
    expect(verified.length).toBeGreaterThan(5);
    for (const { path } of verified) expect(path).toMatch(/^[A-Za-z0-9_/]+$/);
  });

  it('is required by every route that takes money', () => {
    expect(ROUTES.filter(({ takesMoney, captcha }) => takesMoney && !captcha)).toEqual([]);
  });
});

describe('a request without a captcha token', () => {
  it('never opens a form in the browser', async () => {
    const member = await api.member();
    const { body } = await checkOut(member, {}).expect(403);
    expect(body).toMatchObject(MISSING);
    await member.post('/stripe/intents', { stripe_account: 'DK' }).expect(403);
    await member.post('/stripe/payment_intents', { price_id: PACK, return_path: RETURN_PATH }).expect(403);
  });

  it('opens the page of the provider, a few times an hour and network', async () => {
    const member = await api.member();
    const network = '198.51.100.7';
    for (let form = 0; form < UNVERIFIED_FORMS_PER_HOUR; form++) {
      const { body } = await checkOut(member, { network, return_path: RETURN_PATH }).expect(201);
      expect(body.kind).toBe('redirect');
    }
    const { body } = await checkOut(await api.member(), { network, return_path: RETURN_PATH }).expect(403);
    expect(body).toMatchObject(MISSING);
    await checkOut(member, { network: '198.51.100.8', return_path: RETURN_PATH }).expect(201);
  });

  it('finishes a payment that the same user has begun', async () => {
    const member = await api.member();
    const finish = () => member.post('/paypal/subscriptions', { subscription_id: 'sbx_I-UNKNOWN' });
    expect((await finish().expect(403)).body).toMatchObject(MISSING);
    await checkOut(member, { token: tokenFor('/checkouts') }).expect(201);
    expect((await finish()).body.error_code).not.toBe('captcha.failed');
    const stranger = await api.member();
    await stranger.post('/paypal/subscriptions', { subscription_id: 'sbx_I-UNKNOWN' }).expect(403);
  });

  it('with a wrong token finishes nothing', async () => {
    const member = await api.member();
    await checkOut(member, { token: tokenFor('/checkouts') }).expect(201);
    const { body } = await member
      .post('/paypal/subscriptions', { subscription_id: 'sbx_I-UNKNOWN' })
      .set('x-captcha-token', tokenFor('/stripe/intents'))
      .expect(403);
    expect(body.details).toEqual({ reasons: ['action-mismatch'] });
  });
});
