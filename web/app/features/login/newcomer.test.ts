import { expect, test } from 'vitest';
import { destinationAfterLogin, isNewcomer } from './newcomer';

test('an account is new for less than 60 seconds', () => {
  const createdAt = '2026-11-21T12:00:00.000Z';
  const then = Date.parse(createdAt);
  expect(isNewcomer(createdAt, then)).toBe(true);
  expect(isNewcomer(createdAt, then + 59_999)).toBe(true);
  expect(isNewcomer(createdAt, then + 60_000)).toBe(false);
  // Clocks differ: an account from the near future is new.
  expect(isNewcomer(createdAt, then - 5_000)).toBe(true);
});

test('the plans follow the first login, unless it continues something else', () => {
  const fresh = { createdAt: new Date().toISOString(), role: 'base' } as const;
  expect(destinationAfterLogin(fresh, '/')).toBe('/onboarding?previousAction=login');
  expect(destinationAfterLogin(fresh, '/?version=ft')).toBe('/onboarding?previousAction=login&from=%2F%3Fversion%3Dft');
  expect(destinationAfterLogin(fresh, '/checkout?priceId=1')).toBe('/checkout?priceId=1');
  expect(destinationAfterLogin({ ...fresh, role: 'business' }, '/')).toBe('/');
  expect(destinationAfterLogin({ ...fresh, createdAt: '2026-11-21T12:00:00.000Z' }, '/')).toBe('/');
});
