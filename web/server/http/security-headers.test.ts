import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { SECRETS } from '../../test/context.ts';
import type { Environment } from '../config/settings.ts';
import { readSettings } from '../config/settings.ts';
import { createContext } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

async function headersFor(address: string, env: Environment = {}): Promise<Headers> {
  const settings = readSettings({ ...SECRETS, API_URL: 'http://127.0.0.1:1', PUBLIC_URL: address, ...env });
  const parts = { settings, logger: pino({ level: 'silent' }) };
  const app = express();
  app.use((request, response, next) => {
    response.setHeader('x-nonce', createContext(request, response, parts).nonce);
    next();
  });
  app.use(securityHeaders(settings, { allowsInlineStyles: false }));
  app.get('/', (_request, response) => void response.end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).headers;
}

async function policyFor(address: string, env: Environment = {}): Promise<Map<string, string>> {
  const headers = await headersFor(address, env);
  const policy = headers.get('content-security-policy')?.replaceAll(headers.get('x-nonce') ?? '-', 'abc') ?? '';
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

test('scripts and styles need our origin or the nonce', async () => {
  const policy = await policyFor('http://localhost:3000');
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/);
});

test('upgrades insecure requests over https only', async () => {
  expect((await policyFor('https://clearframe.test')).has('upgrade-insecure-requests')).toBe(true);
  expect((await policyFor('http://localhost:3000')).has('upgrade-insecure-requests')).toBe(false);
});

test('allows only the sources that firebase needs', async () => {
  const policy = await policyFor('https://clearframe.test', {
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_DOMAIN: 'login.clearframe.test',
    FIREBASE_PROJECT_ID: 'clearframe',
  });
  expect(policy.get('frame-src')).toBe('https://login.clearframe.test');
  expect(policy.get('connect-src')).toBe(
    "'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
  );
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' https://apis.google.com");
});

test('allows Google One Tap where it is configured', async () => {
  const policy = await policyFor('https://clearframe.test', {
    GOOGLE_CLIENT_ID: 'us.apps.googleusercontent.com',
    GOOGLE_IDENTITY_SCRIPT_URL: 'http://127.0.0.1:5000/gsi/client',
    GOOGLE_TOKEN_INFO_URL: 'http://127.0.0.1:5000/tokeninfo',
  });
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' http://127.0.0.1:5000/gsi/client");
  expect(policy.get('connect-src')).toBe("'self' http://127.0.0.1:5000/gsi/ http://127.0.0.1:5000/tokeninfo");
});

test('allows the scripts, frames and pages of payment providers', async () => {
  const env = { PAYMENT_ORIGINS: 'https://pay.example, https://js.pay.example' };
  const policy = await policyFor('https://clearframe.test', env);
  for (const directive of ['script-src', 'frame-src', 'connect-src', 'img-src', 'form-action']) {
    expect(policy.get(directive)).toMatch(/(^| )https:\/\/pay\.example https:\/\/js\.pay\.example$/);
  }
  const headers = await headersFor('https://clearframe.test', env);
  expect(headers.get('permissions-policy')).toContain('payment=(self "https://pay.example" "https://js.pay.example")');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
});

test('sets the other security headers', async () => {
  expect(Object.fromEntries(await headersFor('https://clearframe.test'))).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
  const local = await headersFor('http://localhost:3000', { GOOGLE_CLIENT_ID: 'us.apps.googleusercontent.com' });
  expect(local.get('strict-transport-security')).toBeNull();
  expect(local.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
});

test('allows media from and uploads to the object store', async () => {
  const policy = await policyFor('https://clearframe.test', { STORAGE_ORIGIN: 'https://photos.s3.test' });
  expect(policy.get('img-src')).toBe("'self' data: blob: https://photos.s3.test");
  expect(policy.get('media-src')).toBe("'self' blob: https://photos.s3.test");
  expect(policy.get('connect-src')).toBe("'self' https://photos.s3.test");
});

test('allows reCAPTCHA where it is configured', async () => {
  const policy = await policyFor('https://clearframe.test', { RECAPTCHA_SITE_KEY: 'site' });
  const own = 'https://www.google.com/recaptcha/';
  expect(policy.get('script-src')).toBe(`'self' 'nonce-abc' ${own} https://www.gstatic.com/recaptcha/`);
  expect(policy.get('frame-src')).toBe(`${own} https://recaptcha.google.com/recaptcha/`);
  expect(policy.get('connect-src')).toBe(`'self' ${own}`);
});

test('allows third parties only while they are configured', async () => {
  const parties = { CONSENT_PLATFORM_ID: 'site', THIRD_PARTY_ORIGINS: 'https://pixels.test' };
  const policy = await policyFor('https://clearframe.test', parties);
  for (const name of ['script-src', 'connect-src', 'img-src', 'frame-src'])
    expect(policy.get(name), name).toContain('https://cdn.cookielaw.org https://pixels.test');
  expect(
    (await policyFor('https://clearframe.test', { THIRD_PARTY_ORIGINS: 'https://pixels.test' })).get('img-src'),
  ).not.toContain('pixels');
});
