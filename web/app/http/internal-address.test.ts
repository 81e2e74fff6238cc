import { expect, test } from 'vitest';
import { preserveVersionParam, returnAddress } from './internal-address';

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
