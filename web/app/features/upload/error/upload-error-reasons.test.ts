import { ERRORS, type ErrorCode } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { uploadErrorReasonOf } from './upload-error-reasons';

test('errors of the files have a modal, others have none', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const reasons = codes.map(uploadErrorReasonOf).filter((reason) => reason !== null);
  expect(new Set(reasons)).toEqual(new Set(['too_few_files', 'too_many_files', 'wrong_file_format', 'size']));
  expect(uploadErrorReasonOf('service.unavailable')).toBeNull();
});
