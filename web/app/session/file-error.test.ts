import { expect, it } from 'vitest';
import { fileErrorKey } from './file-error';

it('is that of videos where their limits differ from those of photos', () => {
  expect(fileErrorKey('uploads.too_many_pixels', true)).toBe('common:videoErrors.tooManyPixels');
  expect(fileErrorKey('uploads.too_large', true)).toBe('common:videoErrors.tooLarge');
  expect(fileErrorKey('uploads.too_many_pixels', false)).toBe('common:errors.uploads.too_many_pixels');
  expect(fileErrorKey('uploads.empty', true)).toBe('common:errors.uploads.empty');
});
