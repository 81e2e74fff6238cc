import { expect, test } from 'vitest';
import { refusalOfLimit } from './reached-limit';
import { uploaderOf } from './uploader.server';

const personal = uploaderOf({ role: 'personal', isGuest: false });
const business = uploaderOf({ role: 'business', isGuest: false });
const media = 'video';

/** Every limit with the values of both plans, the offer for Personal, and the errors of Personal and Business. */
test.each([
  ['max_size_mb', 60, 120, 'video_limit', 'size', 'size_business'],
  ['max_length', 60, 120, 'video_limit', 'duration', 'duration_business'],
  ['max_period_size_mb', 240, 480, 'video_week', 'week_size', 'week_size'],
  ['max_period_length', 240, 480, 'video_week', 'week_duration', 'week_duration'],
] as const)('%s is an upgrade for Personal where Business allows the video, else an error', (...row) => {
  const [limit, own, raised, topic, reason, reasonOfBusiness] = row;
  expect(refusalOfLimit({ limit, value: raised, allowed: own }, personal)).toEqual({
    kind: 'offer',
    topic,
    single: null,
    error: { reason, media, max: own, actual: raised },
  });
  const value = raised + 0.1;
  expect(refusalOfLimit({ limit, value, allowed: own }, personal)).toEqual({
    kind: 'error',
    error: { reason, media, max: own, actual: value },
    rest: [],
  });
  expect(refusalOfLimit({ limit, value, allowed: raised }, business)).toEqual({
    kind: 'error',
    error: { reason: reasonOfBusiness, media, max: raised, actual: value },
    rest: [],
  });
});
