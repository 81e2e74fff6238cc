import { ERRORS, type ErrorCode } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { completeModalAddress, siblingAddress } from './modal-address';
import { uploadErrorReasonOf } from './upload-error-reasons';

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

test('refusals that are about the files have a modal, others have none', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const reasons = codes.map(uploadErrorReasonOf).filter((reason) => reason !== null);
  expect(new Set(reasons)).toEqual(new Set(['too_few_files', 'too_many_files', 'wrong_file_format', 'size']));
  expect(uploadErrorReasonOf('service.unavailable')).toBeNull();
});
