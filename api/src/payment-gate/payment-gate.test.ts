import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createApp } from '../app/create-app.js';

let api: TestApi;
let member: Visitor;
beforeAll(async () => {
  api = await startApi({ BLOCKED_COUNTRIES: 'KP, sy', BLOCKED_SERVICE_COUNTRIES: 'ir' });
  member = await api.member();
});
afterAll(() => api.stop());

const ROWS = [
  ['post', '/stripe/intents'],
  ['post', '/stripe/payment_intents'],
  ['post', '/stripe/subscriptions'],
  ['post', '/paypal/subscriptions'],
  ['post', '/paypal/charges'],
  ['put', '/stripe/subscriptions/upgrade'],
  ['put', '/paypal/subscriptions/upgrade'],
] as const;

describe.each(ROWS)('%s %s', (method, path) => {
  const ask = (headers: Record<string, string>) => member[method](path, {}).set(headers);

  it.each(['KP', 'sy', ' Sy ', 'IR'])('is blocked for %s', async (country) => {
    const { body } = await ask({ 'X-Sandbox-Country': country }).expect(403);
    expect(body.error_code).toBe('billing.country_blocked');
    expect(body.error_description).toMatch(/^Web subscriptions/);
  });

  it('rejects bots', async () => {
    const { body } = await ask({ 'X-Captcha-Token': 'fail' }).expect(403);
    expect(body).toMatchObject({ error_code: 'captcha.failed', details: { reasons: ['sandbox_failure'] } });
  });

  it('passes other requests', async () => {
    const { status } = await ask({ 'X-Sandbox-Country': 'DE', 'X-Captcha-Token': 'fine' });
    expect([200, 201, 422]).toContain(status);
  });

  it('requires a token first', async () => {
    await api.http[method](`/api/v1/web${path}`).set('X-Sandbox-Country', 'KP').send({}).expect(401);
  });
});

describe('a country without service', () => {
  const upload = { input_task_list: [{ image_content_type: 'image/jpeg' }] };

  it.each([
    ['/tasks/bulk-upload', upload],
    ['/video-tasks', {}],
  ])('starts nothing: %s', async (path, body) => {
    const refused = await member.post(path, body).set('X-Sandbox-Country', 'IR').expect(403);
    expect(refused.body.error_code).toBe('service.country_blocked');
    // Blocked payments alone leave the service.
    const other = await member.post(path, body).set('X-Sandbox-Country', 'KP');
    expect(other.body.error_code).not.toBe('service.country_blocked');
  });

  it('keeps what visitors have and their rights', async () => {
    for (const path of ['/users/@me', '/tasks', '/users/@me/export'])
      await member.get(path).set('X-Sandbox-Country', 'IR').expect(200);
  });
});

describe('verifying a captcha', () => {
  const verify = (body: object) => api.http.post('/api/v1/web/recaptcha/verify').send(body);

  it('returns the verdict with reasons', async () => {
    expect((await verify({ recaptcha_token: 'fine' }).expect(200)).body).toEqual({ valid: true, reasons: [] });
    expect((await verify({ recaptcha_token: 'fail' }).expect(200)).body).toEqual({
      valid: false,
      reasons: ['sandbox_failure'],
    });
    await verify({}).expect(422);
  });

  it("accepts a token of the sandbox's script once, for its action and for two minutes", async () => {
    const token = (at = Date.now()) => `sbx_captcha.${at}.${randomUUID()}.verify`;
    const [fresh, old] = [token(), token(Date.now() - 180_000)];
    const reasonsFor = async (given: string) => (await verify({ recaptcha_token: given }).expect(200)).body.reasons;
    expect(await reasonsFor(fresh)).toEqual([]);
    expect(await reasonsFor(fresh)).toEqual(['timeout-or-duplicate']);
    expect(await reasonsFor(old)).toEqual(['timeout-or-duplicate']);
    expect(await reasonsFor(`sbx_captcha.${Date.now()}.${randomUUID()}.login`)).toEqual(['action-mismatch']);
  });

  it('is absent when none is configured', async () => {
    const other = await startApi({ RECAPTCHA_SECRET_KEY: undefined });
    const { body } = await other.http.post('/api/v1/web/recaptcha/verify').send({ recaptcha_token: 'x' }).expect(503);
    expect(body.error_description).toBe('trying to use a captcha, but this service has not been configured');
    await other.stop();
  });

  it.each([
    ['BLOCKED_COUNTRIES', { BLOCKED_COUNTRIES: 'Germany' }],
    ['BLOCKED_SERVICE_COUNTRIES', { BLOCKED_SERVICE_COUNTRIES: 'KP;SY' }],
    ['COUNTRY_HEADER', { COUNTRY_HEADER: 'a header' }],
  ])('fails the boot when %s is invalid', async (variable, change) => {
    await expect(createApp({ ...api.environment, ...change })).rejects.toThrow(`${variable}: `);
  });
});
