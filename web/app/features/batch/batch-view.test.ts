import { expect, test } from 'vitest';
import type { TaskView } from '../tasks/task-view';
import type { Transfer } from '../upload/transfer-store';
import { cardStateOf, summaryOf, withTransfers } from './batch-view';

const DATE = { iso: '2026-01-02T00:00:00.000Z', text: 'January 2' };
const OUTPUT = {} as NonNullable<TaskView['output']>;
const photo = (changes: Partial<TaskView>): TaskView => ({
  taskId: '1',
  mediaType: 'image',
  duration: null,
  batchId: '2',
  state: { kind: 'uploading' },
  remainingSeconds: null,
  exportState: 'none',
  isTest: false,
  fileName: 'sea.jpg',
  display: {
    inputUrl: null,
    inputMediumUrl: null,
    inputThumbnailUrl: null,
    outputUrl: null,
    thumbnailUrl: null,
    width: null,
    height: null,
  },
  output: null,
  newestOutputId: null,
  uploadProblem: null,
  lastProblem: null,
  expiresAt: '2026-01-02T00:00:00.000Z',
  ...changes,
});
const transfer = (changes: Partial<Transfer>): Transfer => ({
  ticket: { bulkUploadId: '2', taskId: '1', url: '/', headers: {}, resumableUrl: null, receivedAt: 0 },
  file: null,
  isSingle: false,
  fileName: 'sea.jpg',
  sent: 0.4,
  state: 'sending',
  problem: null,
  preview: null,
  ...changes,
});

test('a transfer of this document is shown until its file is processed', () => {
  expect(cardStateOf(photo({}), transfer({}))).toMatchObject({ text: 'sending', progress: 0.4, transfer: 'running' });
  expect(cardStateOf(photo({}), transfer({ state: 'paused' }))).toMatchObject({ transfer: 'paused', canCancel: true });
  expect(cardStateOf(photo({ state: { kind: 'waiting', place: 2 } }), transfer({ state: 'checking' }))).toMatchObject({
    text: 'queued',
    transfer: null,
  });
  expect(cardStateOf(photo({}), undefined)).toMatchObject({ text: 'file', canCancel: true });
});

test('a lost connection can be retried, a refused file cannot', () => {
  const failed = (code: 'service.unavailable' | 'uploads.unsupported_type') =>
    cardStateOf(photo({}), transfer({ state: 'failed', problem: { code, requestId: '' } }));
  expect(failed('service.unavailable')).toMatchObject({ text: 'failed', transfer: 'failed' });
  expect(failed('uploads.unsupported_type')).toMatchObject({ text: 'invalid', transfer: null, canCancel: true });
  expect(cardStateOf(photo({ uploadProblem: 'uploads.empty' }), undefined)).toMatchObject({
    text: 'invalid',
    problem: 'uploads.empty',
    canDelete: true,
  });
});

test('a file is not called unreadable because its upload failed', () => {
  const interrupted = photo({ state: { kind: 'invalid', code: 'uploads.incomplete' } });
  expect(cardStateOf(interrupted, undefined)).toMatchObject({ text: 'failed', canRetry: false });
  expect(cardStateOf(photo({ uploadProblem: 'uploads.checksum_mismatch' }), undefined).text).toBe('failed');
});

test('a file whose address expired while it waited is still sent', () => {
  const expired = photo({ state: { kind: 'invalid', code: 'uploads.expired' } });
  const batch = { bulkUploadId: '2', photos: [expired], places: 0, hasEnded: true, formats: [], parts: [] };
  const shown = (state: Transfer['state']) =>
    withTransfers({ ...batch, deletion: DATE }, new Map([['1', transfer({ state })]]));
  expect(shown('offline')).toMatchObject({ hasEnded: false, photos: [{ state: { kind: 'uploading' } }] });
  expect(shown('needsFile')).toMatchObject({ hasEnded: true, photos: [expired] });
});

test('a photo that gets another look stays ready', () => {
  const again = photo({ output: OUTPUT, state: { kind: 'working', progress: 0.5 } });
  expect(cardStateOf(again, undefined)).toMatchObject({ text: 'applying', progress: 0.5, isReady: true });
  const failed = photo({ state: { kind: 'failed', code: 'tasks.failed' } });
  expect(cardStateOf(failed, undefined)).toMatchObject({ canRetry: true, canDelete: true });
  expect(summaryOf([again, failed, photo({}), photo({ uploadProblem: 'uploads.empty' })])).toEqual({
    total: 4,
    ready: 1,
    failed: 2,
    applying: 1,
  });
});
