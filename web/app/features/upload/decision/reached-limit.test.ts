import { VIDEO_LIMITS } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { uploaderOf } from '../server/uploader.server';
import { refusalOfLimit } from './reached-limit';

const personal = uploaderOf({ role: 'personal', isGuest: false });
const business = uploaderOf({ role: 'business', isGuest: false });

test('a limit that Business raises is an upgrade for Personal', () => {
  expect(refusalOfLimit({ name: 'max_length', value: 61, allowed: 60 }, personal)).toEqual({
    kind: 'offer',
    topic: 'video_limit',
    single: null,
    error: { reason: 'duration', media: 'video', max: 60, actual: 61 },
  });
  expect(refusalOfLimit({ name: 'max_period_size_mb', value: 250, allowed: 240 }, personal)).toMatchObject({
    kind: 'offer',
    topic: 'video_week',
    error: { reason: 'week_size' },
  });
});

test('a video that is too large for Business, too, is an error', () => {
  const value = VIDEO_LIMITS.business.maxSizeMb + 0.1;
  expect(refusalOfLimit({ name: 'max_size_mb', value, allowed: 60 }, personal)).toEqual({
    kind: 'error',
    error: { reason: 'size', media: 'video', max: 60, actual: 120.1 },
    rest: [],
  });
});

test('Business has errors of its own', () => {
  expect(refusalOfLimit({ name: 'max_size_mb', value: 130, allowed: 120 }, business)).toMatchObject({
    kind: 'error',
    error: { reason: 'size_business', max: 120, actual: 130 },
  });
  expect(refusalOfLimit({ name: 'max_period_length', value: 481, allowed: 480 }, business)).toMatchObject({
    error: { reason: 'week_duration' },
  });
});
