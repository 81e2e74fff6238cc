import { expect, test } from 'vitest';
import { firstStep, needsPaywall } from './steps';

const PLAIN = { loginOnly: false, forceLogin: false };
const conditions = { options: PLAIN, hasRedeemCode: false };

test('starts with the login, for members with the paywall', () => {
  expect(firstStep(null, conditions)).toBe('login');
  expect(firstStep({ role: 'base' }, conditions)).toBe('paywall');
  expect(firstStep({ role: 'base' }, { ...conditions, options: { ...PLAIN, forceLogin: true } })).toBe('login');
});

test('has no step for a member who needs no paywall', () => {
  expect(firstStep({ role: 'business' }, conditions)).toBeNull();
  expect(firstStep({ role: 'base' }, { ...conditions, options: { ...PLAIN, loginOnly: true } })).toBeNull();
});

test.each([
  ['base', true],
  ['credits', true],
  ['guest', false],
  ['personal', false],
  ['business', false],
] as const)('the paywall is for a base user: %s %s', (role, expected) => {
  expect(needsPaywall({ ...conditions, role })).toBe(expected);
  expect(needsPaywall({ ...conditions, role, hasRedeemCode: true })).toBe(false);
});
