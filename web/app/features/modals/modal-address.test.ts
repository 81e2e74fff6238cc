import { expect, test } from 'vitest';
import { modalAddressFrom, siblingAddress } from './modal-address';

test.each([
  ['/', '', '/language'],
  ['/', '?v=b', '/language?v=b'],
  ['/result', '?taskId=1&v=b', '/language?from=%2Fresult%3FtaskId%3D1&v=b'],
])('opened on %s%s a modal has the URL %s', (pathname, search, address) => {
  expect(modalAddressFrom('/language', { pathname, search })).toBe(address);
});

test('the tabs of a modal’s page keep the return address', () => {
  expect(siblingAddress('/about/files', '')).toBe('/about/files');
  expect(siblingAddress('/about/files', '?from=%2Fresult&v=b')).toBe('/about/files?from=%2Fresult&v=b');
});
