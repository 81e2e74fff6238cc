import { expect, test } from 'vitest';
import { completeModalAddress, siblingAddress } from './modal-address';

test.each([
  ['/', '', '/language'],
  ['/', '?v=b', '/language?v=b'],
  ['/result', '?taskId=1&v=b', '/language?from=%2Fresult%3FtaskId%3D1&v=b'],
])('opened on %s%s a modal is at %s', (pathname, search, address) => {
  expect(completeModalAddress('/language', { pathname, search })).toBe(address);
});

test('another tab of a modal’s page has the same way back', () => {
  expect(siblingAddress('/about/files', '')).toBe('/about/files');
  expect(siblingAddress('/about/files', '?from=%2Fresult&v=b')).toBe('/about/files?from=%2Fresult&v=b');
});
