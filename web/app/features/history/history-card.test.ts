import { expect, test } from 'vitest';
import { labelOf } from './history-card';

test('tells files over a limit and unfinished uploads from files that cannot be read', () => {
  expect(labelOf({ kind: 'invalid', code: 'uploads.undecodable' })).toBe('invalid');
  for (const code of ['videos.limit_reached', 'uploads.too_large', 'uploads.too_many_pixels'] as const)
    expect(labelOf({ kind: 'invalid', code })).toBe('overLimit');
  expect(labelOf({ kind: 'invalid', code: 'uploads.incomplete' })).toBe('uploading');
  expect(labelOf({ kind: 'failed', code: 'videos.failed' })).toBe('failed');
  expect(labelOf({ kind: 'cancelled' })).toBe('cancelled');
});
