import { expect, test } from 'vitest';
import { failureDisplayOf, IDENTITY_FAILURES } from './failures';

test.each([
  ['auth/popup-closed-by-user', 'nothing'],
  ['auth/account-exists-with-different-credential', 'linking'],
  ['auth/email-already-in-use', 'linkingFailed'],
  ['auth/web-storage-unsupported', 'notSupported'],
  ['auth/popup-blocked', 'redirect'],
  ['auth/network-request-failed', 'message'],
])('%s shows %s', (code, shows) => {
  expect(failureDisplayOf(code).shows).toBe(shows);
});

test('unknown codes show the general message', () => {
  expect(failureDisplayOf('auth/quantum-decoherence')).toEqual({ shows: 'message', message: 'other' });
  expect(failureDisplayOf('constructor')).toEqual(IDENTITY_FAILURES['auth/internal-error']);
});
