import type { Role } from '@clearframe/contract';
import { describe, expect, test } from 'vitest';
import { decideUpload, roundedMegabytes, roundedSeconds, type UploadChoice } from './decide-upload';
import { limitsOf } from './uploader.server';

const MB = 1_000_000;

const photo = (name = 'sea.jpg', size = MB) => ({ name, type: 'image/jpeg', size });
const video = (size = 10 * MB) => ({ name: 'clip.mp4', type: 'video/mp4', size });
const PDF = { name: 'contract.pdf', type: 'application/pdf', size: MB };
const photos = (count: number) => Array.from({ length: count }, (_, index) => photo(`${index + 1}.jpg`));

type File = ReturnType<typeof photo>;

type More = Partial<Pick<UploadChoice<File>, 'duration' | 'hasVideo'>> & { readonly left?: number };

function decide(role: Role, files: readonly File[], { left, ...more }: More = {}) {
  const limits = limitsOf({ role, isGuest: role === 'guest' });
  return decideUpload({ files, role, limits: { ...limits, files: left ?? limits.files }, hasVideo: true, ...more });
}

const UNSUBSCRIBED = ['guest', 'base', 'credits'] as const;
const WITHOUT_BATCH = [...UNSUBSCRIBED, 'personal'] as const;
const ROLES = [...WITHOUT_BATCH, 'business'] as const;

describe.each(ROLES)('%s', (role) => {
  test('no file is an error', () => {
    expect(decide(role, [])).toEqual({ kind: 'error', error: { reason: 'too_few_files' }, rest: [] });
  });

  test('a video is rejected while videos are off', () => {
    const limits = limitsOf({ role, isGuest: role === 'guest' }, false);
    const decision = decideUpload({ files: [video()], role, limits, hasVideo: true });
    expect(decision).toEqual({ kind: 'error', error: { reason: 'video_off' }, rest: [] });
  });

  test('one photo is uploaded, of up to 50 MB', () => {
    const largest = photo('sea.jpg', 50 * MB);
    expect(decide(role, [largest])).toEqual({ kind: 'photo', file: largest });
    expect(decide(role, [photo('sea.jpg', 50 * MB + 1)])).toEqual({
      kind: 'error',
      error: { reason: 'size', media: 'photo', max: 50, actual: 50.1 },
      rest: [],
    });
  });

  test('the format of another file is named', () => {
    expect(decide(role, [PDF])).toEqual({
      kind: 'error',
      error: { reason: 'wrong_file_format', found: 'PDF' },
      rest: [],
    });
    expect(decide(role, [{ ...PDF, name: 'notes', type: 'a/b.c' }])).toMatchObject({
      error: { reason: 'wrong_file_format' },
    });
  });

  test('several files with a video or another format are rejected, and the photos can be uploaded without them', () => {
    const [one, two] = [photo('1.jpg'), photo('2.jpg')];
    expect(decide(role, [one, video(), two])).toEqual({
      kind: 'error',
      error: { reason: 'wrong_file_format', found: 'MP4', media: 'video', rest: 2 },
      rest: [one, two],
    });
    expect(decide(role, [PDF, one])).toEqual({
      kind: 'error',
      error: { reason: 'wrong_file_format', found: 'PDF', rest: 1 },
      rest: [one],
    });
    expect(decide(role, [video(), video()])).toMatchObject({ error: { reason: 'wrong_file_format' }, rest: [] });
  });

  test('a file that is too large does not reject the others', () => {
    const [one, large] = [photo('1.jpg'), photo('2.jpg', 60 * MB)];
    expect(decide(role, [one, large])).toMatchObject({ error: { reason: 'size', actual: 60, rest: 1 }, rest: [one] });
  });

  test('an empty file is rejected, whatever it is named', () => {
    const [one, empty] = [photo('1.jpg'), photo('2.jpg', 0)];
    expect(decide(role, [one, empty])).toEqual({
      kind: 'error',
      error: { reason: 'empty', rest: 1 },
      rest: [one],
    });
    for (const file of [empty, video(0)])
      expect(decide(role, [file])).toEqual({ kind: 'error', error: { reason: 'empty' }, rest: [] });
  });

  test('where only photos are accepted, another file is rejected as not an image', () => {
    const refusal = { kind: 'error', error: { reason: 'wrong_file_format', found: 'PDF', media: 'photo' }, rest: [] };
    expect(decide(role, [PDF], { hasVideo: false })).toEqual(refusal);
    const limits = limitsOf({ role, isGuest: role === 'guest' }, false);
    expect(decideUpload({ files: [PDF], role, limits, hasVideo: true })).toEqual(refusal);
  });

  test('a video is an unknown format while none can be enhanced', () => {
    expect(decide(role, [video()], { hasVideo: false })).toEqual({
      kind: 'error',
      error: { reason: 'wrong_file_format', found: 'MP4', media: 'video' },
      rest: [],
    });
  });

  test('a full upload accepts no file', () => {
    expect(decide(role, [photo()], { left: 0 })).toEqual({
      kind: 'error',
      error: { reason: 'too_many_files', left: 0, chosen: 1 },
      rest: [],
    });
  });
});

test.each(WITHOUT_BATCH)('%s is offered a plan with batches, or a single photo', (role) => {
  const files = photos(20);
  expect(decide(role, files)).toEqual({ kind: 'offer', topic: 'batch', single: files[0], error: null });
});

describe('business', () => {
  test('several photos are a batch', () => {
    const files = photos(15);
    expect(decide('business', files)).toEqual({ kind: 'batch', files });
  });

  test('files beyond the limit are dropped', () => {
    const files = photos(17);
    expect(decide('business', files)).toEqual({
      kind: 'error',
      error: { reason: 'too_many_files', left: 15, chosen: 17, rest: 15 },
      rest: files.slice(0, 15),
    });
    expect(decide('business', photos(4), { left: 3 })).toMatchObject({ error: { left: 3, chosen: 4, rest: 3 } });
    expect(decide('business', [...photos(15), PDF])).toMatchObject({ error: { reason: 'too_many_files', rest: 15 } });
  });
});

describe('a video', () => {
  test.each(UNSUBSCRIBED)('offers a plan to %s', (role) => {
    expect(decide(role, [video()])).toEqual({ kind: 'offer', topic: 'video', single: null, error: null });
  });

  test.each([
    ['personal', 60],
    ['business', 120],
  ] as const)('within the limits is uploaded: %s', (role, limit) => {
    const file = video(limit * MB + 49_999);
    expect(decide(role, [file], { duration: limit })).toEqual({ kind: 'video', file });
    expect(decide(role, [file], { duration: null })).toEqual({ kind: 'video', file });
    expect(decide(role, [file])).toEqual({ kind: 'video', file });
  });

  test('over a limit of Personal is an upgrade where Business allows it', () => {
    expect(decide('personal', [video(60 * MB + 50_000)])).toEqual({
      kind: 'offer',
      topic: 'video_limit',
      single: null,
      error: { reason: 'size', media: 'video', max: 60, actual: 60.1 },
    });
    expect(decide('personal', [video()], { duration: 60.01 })).toEqual({
      kind: 'offer',
      topic: 'video_limit',
      single: null,
      error: { reason: 'duration', media: 'video', max: 60, actual: 61 },
    });
    expect(decide('personal', [video(130 * MB)])).toEqual({
      kind: 'error',
      error: { reason: 'size', media: 'video', max: 60, actual: 130 },
      rest: [],
    });
    expect(decide('personal', [video(70 * MB)], { duration: 121 })).toMatchObject({ kind: 'error' });
  });

  test('over a limit of Business is an error', () => {
    expect(decide('business', [video(121 * MB)])).toMatchObject({
      error: { reason: 'size_business', max: 120, actual: 121 },
    });
    expect(decide('business', [video()], { duration: 120.5 })).toMatchObject({
      error: { reason: 'duration_business', max: 120, actual: 121 },
    });
  });
});

test.each([
  [1_049_999, 1],
  [1_050_000, 1.1],
  [60_000_000, 60],
])('%i bytes are %f MB', (bytes, rounded) => {
  expect(roundedMegabytes(bytes)).toBe(rounded);
});

test.each([
  [60, 60],
  [60.01, 61],
])('%f seconds are %i', (seconds, rounded) => {
  expect(roundedSeconds(seconds)).toBe(rounded);
});
