import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaptchaConfig, Recaptcha } from './captcha.js';

const SECRET = 'secret_of_tests';
const ACTION = '/checkouts';

let server: Server;
let answer: object;
let asked: URLSearchParams;
let captcha: Recaptcha;

const settingsFor = (url: string) => ({
  PUBLIC_URL: 'https://clearframe.example',
  RECAPTCHA_SECRET_KEY: SECRET,
  RECAPTCHA_VERIFY_URL: url,
});

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/recaptcha/api/siteverify`;
  captcha = new Recaptcha(CaptchaConfig.fromEnvironment(settingsFor(url)));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answer = solved();
});

const solved = (change: object = {}) => ({
  success: true,
  challenge_ts: new Date().toISOString(),
  hostname: 'clearframe.example',
  action: ACTION,
  score: 0.9,
  ...change,
});
const verify = (token: string | null = 'token') => captcha.verify({ token, action: ACTION, address: '192.0.2.1' });

describe('reCAPTCHA', () => {
  it('is asked with the secret, the token and the address', async () => {
    expect(await verify()).toEqual({ valid: true, reasons: [] });
    expect(Object.fromEntries(asked)).toEqual({ secret: SECRET, response: 'token', remoteip: '192.0.2.1' });
  });

  it('rejects a missing or repeated token with its own codes', async () => {
    answer = { success: false, 'error-codes': ['missing-input-response'] };
    expect(await verify(null)).toEqual({ valid: false, reasons: ['missing-input-response'] });
    expect(asked.get('response')).toBe('');
    answer = { success: false, 'error-codes': ['timeout-or-duplicate'] };
    expect(await verify()).toEqual({ valid: false, reasons: ['timeout-or-duplicate'] });
  });

  it.each([
    ['another action', { action: '/stripe/subscriptions' }, 'action-mismatch'],
    ['another host', { hostname: 'evil.example' }, 'hostname-mismatch'],
    ['no host', { hostname: undefined }, 'hostname-mismatch'],
    ['a challenge of four minutes ago', { challenge_ts: new Date(Date.now() - 240_000) }, 'timeout-or-duplicate'],
    ['a low score', { score: 0.1 }, 'low-score'],
  ])('rejects a token of %s', async (_what, change, reason) => {
    answer = solved(change);
    expect(await verify()).toEqual({ valid: false, reasons: [reason] });
  });

  it('accepts answers of version 2, which names no action and no score', async () => {
    answer = solved({ action: undefined, score: undefined });
    expect(await verify()).toEqual({ valid: true, reasons: [] });
  });

  it('rejects no payment as a bot when reCAPTCHA is out of order', async () => {
    answer = [];
    await expect(verify()).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('is the real one in production', () => {
    const keys = { ...settingsFor('https://captcha.example'), RECAPTCHA_SITE_KEY: 'site' };
    const production = { ...keys, CLEARFRAME_ENV: 'production' };
    expect(() => CaptchaConfig.fromEnvironment(production)).toThrow(/^RECAPTCHA_VERIFY_URL: /);
    const config = CaptchaConfig.fromEnvironment({ ...production, RECAPTCHA_VERIFY_URL: undefined });
    expect(config.verifyUrl).toBe('https://www.google.com/recaptcha/api/siteverify');
  });

  it.each(['RECAPTCHA_SECRET_KEY', 'RECAPTCHA_SITE_KEY'])('is not started in production without %s', (missing) => {
    const keys = { RECAPTCHA_SECRET_KEY: SECRET, RECAPTCHA_SITE_KEY: 'site', [missing]: undefined };
    const start = (CLEARFRAME_ENV: string) =>
      CaptchaConfig.fromEnvironment({ ...keys, CLEARFRAME_ENV, PUBLIC_URL: 'https://clearframe.example' });
    expect(() => start('production')).toThrow('RECAPTCHA_SECRET_KEY and RECAPTCHA_SITE_KEY: set both or neither');
    expect(() => start('local')).not.toThrow();
  });
});
