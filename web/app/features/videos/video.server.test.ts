import { fromWire, VideoTask } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { contextFor } from '../../../test/context';
import { TASK_ID } from '../../../test/wire';
import { uploaderOf } from '../upload/uploader.server';
import { videoViewOf } from './video.server';

const video = (changes: Record<string, unknown> = {}) => ({
  video_task_id: TASK_ID,
  status: 'processing',
  progress: 0,
  file_progress: 1,
  output_upload: null,
  remaining_seconds: null,
  queue_wait_num: 1,
  ai_pipeline: {},
  input: {
    file_name: 'beach.mov',
    content_type: 'video/quicktime',
    width: 1280,
    height: 720,
    duration: 8,
    frame_rate: 29.97,
    size_bytes: 4_200_000,
    sha256: 'a'.repeat(64),
  },
  plan: { recipe: 'faces', estimated_seconds: 48 },
  poster_url: 'http://clearframe.test/media/poster?signature=p',
  preview: null,
  result: null,
  earlier_results: [],
  sharing: null,
  error_code: null,
  reached_limit: null,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-31T00:00:00.000Z',
  ...changes,
});

const RESULT = {
  id: '00000000-0000-4000-8000-000000000002',
  number: 2,
  ai_pipeline: { face_enhance: { model: 'base' } },
  input_url: 'http://clearframe.test/media/inputs/1?signature=i',
  output_url: 'http://clearframe.test/media/results/1?signature=o',
  poster_url: 'http://clearframe.test/media/results/2?signature=p',
  display_input_url: 'http://clearframe.test/media/results/3?signature=d',
  width: 1280,
  height: 720,
  duration: 8.008,
  size_bytes: 9_000_000,
  recipe: { name: 'faces', tools: ['face_enhance'], networks: [], version: 1 },
  notes: ['hdr_tone_mapped'],
  faces_followed: 2,
  faces_restored: 1,
};

const viewOf = (
  changes: Record<string, unknown> = {},
  role: 'personal' | 'business' = 'personal',
  outputId: string | null = null,
) =>
  videoViewOf(
    VideoTask.parse(fromWire(VideoTask, video(changes))),
    contextFor(new URL('http://api.test')),
    uploaderOf({ role, isGuest: false }),
    outputId,
  );

test.each([
  [{ status: 'uploading' }, { kind: 'uploading' }],
  [{ plan: null }, { kind: 'checking' }],
  [{ queue_wait_num: 3 }, { kind: 'waiting', place: 3 }],
  [
    { queue_wait_num: 0, progress: 0.25 },
    { kind: 'working', progress: 0.25 },
  ],
  [{ status: 'completed', result: RESULT }, { kind: 'done' }],
  [
    { status: 'failed', error_code: 'tasks.timed_out' },
    { kind: 'failed', code: 'tasks.timed_out' },
  ],
  [
    { status: 'invalid', error_code: 'a.later_code' },
    { kind: 'invalid', code: 'videos.failed' },
  ],
  [{ status: 'cancelled' }, { kind: 'cancelled' }],
])('%j is shown as %j', (changes, state) => {
  expect(viewOf(changes).state).toEqual(state);
});

test('frames are counted from length and rate, once the file has been read', () => {
  expect(viewOf().frames).toBe(240);
  const { input } = video();
  expect(viewOf({ plan: null, input: { ...input, duration: null, frame_rate: null } }).frames).toBeNull();
});

test('the page plays the copy for browsers and downloads the result', () => {
  const { result, details } = viewOf({ status: 'completed', result: RESULT });
  expect(result?.beforeUrl).toContain('/media/results/3?signature=d');
  expect(result?.afterUrl).toContain('/media/results/1?signature=o');
  expect(result?.downloadUrl).toContain('download');
  expect(result).toMatchObject({ duration: 8.008, frameRate: 29.97, faces: 1, notes: ['hdr_tone_mapped'] });
  expect(details).toMatchObject({ type: 'MOV', originalAddress: `/tasks/${TASK_ID}/file?of=original` });
  expect(viewOf().details.originalAddress).toBeNull();
});

test('the address names an earlier version, which has its own tools', () => {
  const earlier = { ...RESULT, id: '00000000-0000-4000-8000-000000000001', number: 1, ai_pipeline: {} };
  const changes = { status: 'completed', result: RESULT, earlier_results: [earlier] };
  const newest = viewOf(changes);
  expect(newest.versions.map(({ number }) => number)).toEqual([2, 1]);
  expect([newest.result?.id, newest.choices.tools.faceEnhance.model]).toEqual([RESULT.id, 'base']);
  const shown = viewOf(changes, 'personal', earlier.id);
  expect([shown.result?.id, shown.choices.tools.faceEnhance.model]).toEqual([earlier.id, null]);
  expect(viewOf(changes, 'personal', 'unknown').result?.id).toBe(RESULT.id);
});

test('a video that could not be enhanced again keeps its result and says why', () => {
  const kept = viewOf({ status: 'completed', result: RESULT, error_code: 'videos.failed' });
  expect(kept).toMatchObject({ state: { kind: 'done' }, lastError: 'videos.failed' });
  expect(viewOf({ status: 'completed', result: RESULT }).lastError).toBeNull();
});

test.each([
  ['personal', 61, 60, { kind: 'offer', topic: 'video_limit', error: { reason: 'duration', max: 60, actual: 61 } }],
  ['personal', 130, 60, { kind: 'error', error: { reason: 'duration', max: 60, actual: 130 } }],
  ['business', 121, 120, { kind: 'error', error: { reason: 'duration_business', max: 120, actual: 121 } }],
] as const)('a video that is too long for %s says so as before it is sent: %i s', (role, value, allowed, refusal) => {
  const changes = {
    status: 'invalid',
    error_code: 'videos.limit_reached',
    reached_limit: { limit: 'max_length', value, allowed },
  };
  expect(viewOf(changes, role).refusal).toMatchObject(refusal);
  expect(viewOf({}, role).refusal).toBeNull();
});
