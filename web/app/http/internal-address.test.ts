import { expect, test } from 'vitest';
import { differOnlyInVersion, landingAddress, preserveVersionParam, returnAddress } from './internal-address';

test.each([
  ['/', '?v=b', '/?v=b'],
  ['/#questions', '?v=b', '/?v=b#questions'],
  ['/result?taskId=1', '?taskId=2&v=b', '/result?taskId=1&v=b'],
  ['/?v=c', '?v=b', '/?v=c'],
  ['/', '?v=', '/?v='],
  ['/', '', '/'],
  ['#content', '?v=b', '#content'],
  ['https://elsewhere.example/', '?v=b', 'https://elsewhere.example/'],
])('%s from a page with %s leads to %s', (address, search, expected) => {
  expect(preserveVersionParam(address, search)).toBe(expected);
});

test.each([
  ['/result?taskId=1#x', '/result?taskId=1#x'],
  ['//elsewhere.example/', '/'],
  ['/\\elsewhere.example/', '/'],
  ['/\t/elsewhere.example/', '/'],
  ['/.//elsewhere.example/', '/'],
  ['https://elsewhere.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [null, '/'],
])('the return address %s becomes %s', (address, expected) => {
  expect(returnAddress(address)).toBe(expected);
});

test.each([
  ['/', '', '1', '/?v=1'],
  ['/', '?utm_source=a', 'spring', '/?utm_source=a&v=spring'],
  ['/', '?v=b', '1', null],
  ['/', '', null, null],
  ['/pricing', '', '1', null],
])('%s%s with the landing version %s becomes %s', (pathname, search, version, expected) => {
  expect(landingAddress({ pathname, search, hash: '' }, version)).toBe(expected);
});

test('a version alone makes no other page', () => {
  expect(differOnlyInVersion('/?sample=a', '/?sample=a&v=1')).toBe(true);
  expect(differOnlyInVersion('/', '/')).toBe(false);
  expect(differOnlyInVersion('/?sample=a', '/?sample=b&v=1')).toBe(false);
});
