import { ERRORS, type ErrorCode, INVALID_CODES } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { isTransferError } from '../../session/file-error';
import { refusalOfLimit, uploadErrorIn, uploadErrorOf } from './read-upload-error';
import { type UploadError, uploadErrorAddress } from './upload-error';
import { uploaderOf } from './uploader.server';

test.each<[UploadError, string]>([
  [{ reason: 'too_few_files' }, '/upload-error/too_few_files'],
  [{ reason: 'too_many_files', left: 3, chosen: 4 }, '/upload-error/too_many_files?left=3&chosen=4'],
  [{ reason: 'wrong_file_format', found: 'PDF' }, '/upload-error/wrong_file_format?found=PDF'],
  [{ reason: 'size', media: 'photo', max: 50, actual: 50.1 }, '/upload-error/size?max=50&actual=50.1'],
  [{ reason: 'size', media: 'video', max: 60, actual: 61 }, '/upload-error/size?media=video&max=60&actual=61'],
  [
    { reason: 'wrong_file_format', media: 'video', found: 'MP4' },
    '/upload-error/wrong_file_format?media=video&found=MP4',
  ],
  [
    { reason: 'wrong_file_format', media: 'photo', found: 'PDF' },
    '/upload-error/wrong_file_format?media=photo&found=PDF',
  ],
  [{ reason: 'week_size', media: 'video', max: 240, actual: 251.5 }, '/upload-error/week_size?max=240&actual=251.5'],
  [{ reason: 'too_many_pixels' }, '/upload-error/too_many_pixels'],
  [{ reason: 'too_many_pixels', media: 'video' }, '/upload-error/too_many_pixels?media=video'],
  [{ reason: 'too_many_frames', media: 'video' }, '/upload-error/too_many_frames'],
  [{ reason: 'unreadable', media: 'video' }, '/upload-error/unreadable?media=video'],
  [{ reason: 'layers_only' }, '/upload-error/layers_only'],
  [{ reason: 'video_off', media: 'video' }, '/upload-error/video_off'],
  [{ reason: 'duration_business', media: 'video', max: 120 }, '/upload-error/duration_business?max=120'],
])('%o has the address %s', (error, address) => {
  expect(uploadErrorAddress(error)).toBe(address);
  const url = new URL(address, 'http://nowhere.invalid');
  expect(uploadErrorIn(error.reason, url.searchParams)).toEqual(error);
});

test('defaults replace missing and invalid values of an address', () => {
  const read = (reason: UploadError['reason'], query = '') => uploadErrorIn(reason, new URLSearchParams(query));
  expect(read('size', 'max=-1&actual=1e9')).toEqual({ reason: 'size', media: 'photo', max: 50 });
  expect(read('size', 'media=video')).toEqual({ reason: 'size', media: 'video', max: 60 });
  expect(read('size_business')).toMatchObject({ max: 120 });
  expect(read('too_many_files', 'left=many&rest=4')).toEqual({ reason: 'too_many_files', left: 15 });
  expect(read('wrong_file_format', 'found=<script>')).toEqual({ reason: 'wrong_file_format' });
});

test('codes about the files have an error, others have none', () => {
  const reasons = (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) => uploadErrorOf(code)?.reason ?? []);
  expect(new Set(reasons)).toEqual(
    new Set([
      'too_few_files',
      'too_many_files',
      'wrong_file_format',
      'empty',
      'size',
      'too_many_pixels',
      'unreadable',
      'layers_only',
      'video_off',
    ]),
  );
  // Only transfers are tried again with the same file.
  const ofFiles = INVALID_CODES.filter((code) => !isTransferError(code));
  expect(ofFiles.filter((code) => uploadErrorOf(code) === null)).toEqual([]);
  expect(uploadErrorOf('batch.not_in_plan')).toMatchObject({ left: 1 });
  expect(uploadErrorOf('service.unavailable')).toBeNull();
});

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
