import { expect, test } from 'vitest';
import { SECRETS } from '../../test/context.ts';
import { readSettings } from './settings.ts';

const FIREBASE = {
  FIREBASE_PROJECT_ID: 'clearframe',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'login.clearframe.test',
  GOOGLE_CLIENT_ID: 'client',
};

test('everything but the secrets has a default', () => {
  const settings = readSettings(SECRETS);
  expect(settings.port).toBe(3000);
  expect(settings.host).toBe('127.0.0.1');
  expect(settings.apiUrl.origin).toBe('http://127.0.0.1:4000');
  expect(settings.publicUrl.origin).toBe('http://localhost:3000');
});

test('the default public URL contains the port', () => {
  expect(readSettings({ ...SECRETS, WEB_PORT: '8080' }).publicUrl.origin).toBe('http://localhost:8080');
});

test.each([
  ['WEB_PORT', 'eighty'],
  ['WEB_PORT', '70000'],
  ['WEB_OPTIONAL_DATA_TIMEOUT_MS', '1.5'],
  ['WEB_OPTIONAL_DATA_TIMEOUT_MS', '0'],
  ['API_URL', 'backend:4000'],
  ['API_URL', 'http://backend/api'],
  ['PUBLIC_URL', 'ftp://clearframe.test'],
  ['CLEARFRAME_ENV', 'staging'],
  ['CLEARFRAME_COOKIE_SECRET', 'short'],
  ['CLEARFRAME_INTERNAL_SECRET', ''],
  ['LOG_LEVEL', 'loud'],
  ['BOOK_A_CALL_URL', 'javascript:alert(1)'],
  ['LANDING_VERSION', 'spring sale'],
  ['IDENTITY_PROVIDER', 'anybody'],
  ['SURVEY_SCRIPT_URL', 'javascript:alert(1)'],
  ['ANALYTICS_URL', 'analytics.test'],
  ['MONITORING_URL', 'ftp://monitoring.test'],
  ['BLOCKED_SERVICE_COUNTRIES', 'Germany'],
  ['TRUSTED_PROXIES', 'proxy.internal'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '10.0.0.1,all'],
])('an invalid %s throws an error that names it', (name, value) => {
  expect(() => readSettings({ ...SECRETS, [name]: value })).toThrow(name);
});

test('the identity provider is the sandbox locally and none in production', () => {
  expect(readSettings(SECRETS).identity.provider).toBe('sandbox');
  expect(readSettings({ ...SECRETS, CLEARFRAME_ENV: 'production' }).identity.provider).toBe('none');
});

test.each([
  ['IDENTITY_PROVIDER', 'sandbox'],
  ['FIREBASE_AUTH_EMULATOR_HOST', '127.0.0.1:9099'],
  ['PUBLIC_URL', 'http://photos.example.org'],
  ['GOOGLE_IDENTITY_SCRIPT_URL', 'http://127.0.0.1:9099/client'],
  ['GOOGLE_TOKEN_INFO_URL', 'http://127.0.0.1:9099/tokeninfo'],
])('production rejects %s=%s', (name, value) => {
  const production = { ...SECRETS, CLEARFRAME_ENV: 'production', IDENTITY_PROVIDER: 'firebase', ...FIREBASE };
  expect(readSettings({ ...production, PUBLIC_URL: 'https://photos.example.org' }).environment).toBe('production');
  expect(() => readSettings({ ...production, [name]: value })).toThrow(name);
});

test('firebase requires key, domain and project, the emulator only the project', () => {
  const firebase = { ...SECRETS, IDENTITY_PROVIDER: 'firebase' };
  expect(() => readSettings(firebase)).toThrow('FIREBASE_PROJECT_ID');
  const project = { ...firebase, FIREBASE_PROJECT_ID: 'demo' };
  expect(() => readSettings(project)).toThrow('FIREBASE_API_KEY');
  expect(() => readSettings({ ...project, FIREBASE_API_KEY: 'key' })).toThrow('FIREBASE_AUTH_DOMAIN');
  const emulated = readSettings({ ...project, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' });
  expect(emulated.identity.firebase?.emulatorUrl).toBe('http://127.0.0.1:9099');
});

test("the captcha needs a key, and its script is Google's in production", () => {
  const key = { ...SECRETS, RECAPTCHA_SITE_KEY: 'site' };
  expect(readSettings(SECRETS).captcha).toBeNull();
  expect(readSettings(key).captcha).toEqual({ siteKey: 'site', scriptUrl: 'https://www.google.com/recaptcha/api.js' });
  const production = { ...key, CLEARFRAME_ENV: 'production', PUBLIC_URL: 'https://photos.example.org' };
  const other = 'https://www.recaptcha.net/recaptcha/api.js';
  expect(readSettings({ ...production, RECAPTCHA_SCRIPT_URL: other }).captcha?.scriptUrl).toBe(other);
  for (const url of ['https://evil.example/api.js', 'http://www.google.com/recaptcha/api.js']) {
    expect(() => readSettings({ ...production, RECAPTCHA_SCRIPT_URL: url })).toThrow('RECAPTCHA_SCRIPT_URL');
  }
});

test('scripts of third parties need https in production, and their origins are known', () => {
  const container = { TAG_MANAGER_ID: 'GTM-1', THIRD_PARTY_ORIGINS: 'https://pixels.test' };
  const { thirdParties, thirdPartyOrigins } = readSettings({ ...SECRETS, ...container });
  expect(thirdParties).toEqual({
    tagManagerUrl: 'https://www.googletagmanager.com/gtm.js?id=GTM-1',
    consentPlatform: null,
    surveyUrl: null,
  });
  expect(thirdPartyOrigins).toEqual(['https://www.googletagmanager.com', 'https://pixels.test']);
  expect(readSettings(SECRETS).thirdPartyOrigins).toEqual([]);
  const production = { ...SECRETS, CLEARFRAME_ENV: 'production', PUBLIC_URL: 'https://clearframe.test' };
  expect(() => readSettings({ ...production, SURVEY_SCRIPT_URL: 'http://surveys.test/x.js' })).toThrow(
    'SURVEY_SCRIPT_URL',
  );
});
