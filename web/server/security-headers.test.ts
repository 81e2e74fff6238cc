import { expect, test } from 'vitest';
import { type Environment } from './environment.ts';
import { readIdentitySettings } from './identity-settings.ts';
import { contentSecurityPolicy } from './security-headers.ts';

const directives = (policy: string): Map<string, string> =>
  new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

const policyFor = (address: string, env: Environment = {}) =>
  directives(
    contentSecurityPolicy('abc', { publicUrl: new URL(address), identity: readIdentitySettings(env, 'local') }),
  );

test('scripts and styles come from us, or carry the nonce', () => {
  const policy = policyFor('http://localhost:3000');
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/);
});

test('only over https are addresses upgraded', () => {
  expect(policyFor('https://clearframe.test').has('upgrade-insecure-requests')).toBe(true);
  expect(policyFor('http://localhost:3000').has('upgrade-insecure-requests')).toBe(false);
});

test('firebase is let in where it signs people in, and only by the addresses it needs', () => {
  const policy = policyFor('https://clearframe.test', {
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

test('Google’s prompt is let in where it is configured', () => {
  const policy = policyFor('https://clearframe.test', {
    GOOGLE_CLIENT_ID: 'us.apps.googleusercontent.com',
    GOOGLE_IDENTITY_SCRIPT_URL: 'http://127.0.0.1:5000/gsi/client',
    GOOGLE_TOKEN_INFO_URL: 'http://127.0.0.1:5000/tokeninfo',
  });
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' http://127.0.0.1:5000/gsi/client");
  expect(policy.get('connect-src')).toBe("'self' http://127.0.0.1:5000/gsi/ http://127.0.0.1:5000/tokeninfo");
});
