import { describe, expect, it } from 'vitest';
import {
  analyzeImage,
  enhanceImage,
  JOBS,
  renderImage,
  renderLooks,
  renderSharePreview,
  reportRun,
} from './catalogue.js';
import {
  cancellationKey,
  jobIdOf,
  packJob,
  parseOutcome,
  QUEUE_NAMES,
  queueOf,
  runIdOf,
  traceIdOf,
  traceparentOf,
  unpackJob,
} from './define.js';
import { enhanceVideo, probeVideo } from './videos.js';

const ids = { subjectId: '8f9e7f7e-56b6-4f0e-9c61-000000000001', runId: '8f9e7f7e-56b6-4f0e-9c61-000000000002' };
const report = { ...ids, job: enhanceImage.name, outcome: { kind: 'failed', errorCode: 'tasks.failed' } };
const traceparent = traceparentOf(ids.runId);

describe('a job', () => {
  it('is packed and unpacked unchanged', () => {
    const sent = JSON.parse(JSON.stringify(packJob(reportRun, report, traceparent)));
    expect(sent.version).toBe(reportRun.version);
    expect(unpackJob(reportRun, sent)).toEqual(report);
    expect(traceIdOf(sent)).toBe('8f9e7f7e56b64f0e9c61000000000002');
  });

  it.each<[string, unknown]>([
    ['another version', { version: 99, payload: report }],
    ['no version', { payload: report }],
    ['no payload', { version: reportRun.version }],
    ['an invalid payload', { version: reportRun.version, payload: { ...report, subjectId: 'x' } }],
    ['nothing', undefined],
    ['null', null],
    ['text', 'text'],
  ])('is rejected with %s', (_what, data) => expect(() => unpackJob(reportRun, data)).toThrow());

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no trace', { version: 1 }],
    ['a malformed trace', { version: 1, traceparent: 'x' }],
  ])('has no trace id with %s', (_what, data) => expect(traceIdOf(data)).toBeNull());

  it('has an id made of its run’s, and the reverse', () => {
    expect(jobIdOf(ids.runId)).toBe(`run-${ids.runId}`);
    expect(runIdOf(jobIdOf(ids.runId))).toBe(ids.runId);
    expect(runIdOf('report-1')).toBeNull();
    expect(jobIdOf(ids.runId)).not.toContain(':');
    expect(cancellationKey(ids.runId)).toBe(`clearframe:cancelled:${ids.runId}`);
  });
});

describe('an outcome', () => {
  const rendered = { key: 'a', contentType: 'image/png', width: 1, height: 1, sizeBytes: 1, hasWatermark: false };

  it.each([
    { kind: 'cancelled' },
    { kind: 'failed', errorCode: 'tasks.timed_out' },
    { kind: 'invalid', errorCode: 'uploads.undecodable' },
    { kind: 'completed', result: rendered },
  ])('of its job is accepted: $kind', (outcome) => expect(parseOutcome(renderImage, outcome)).toEqual(outcome));

  it.each([
    { kind: 'completed' },
    { kind: 'completed', result: { ...rendered, width: 0 } },
    { kind: 'invalid', errorCode: 'tasks.failed' },
    { kind: 'failed', errorCode: 'uploads.undecodable' },
    { kind: 'exploded' },
    null,
  ])('that is invalid is rejected: %o', (outcome) => expect(() => parseOutcome(renderImage, outcome)).toThrow());

  it('is parsed by the result schema of its own job', () =>
    expect(() => parseOutcome(enhanceImage, { kind: 'completed', result: rendered })).toThrow());
});

describe('the catalogue of jobs', () => {
  it('has unique names and positive attempts, backoff and timeout', () => {
    expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
    for (const { attempts, backoffMs, timeoutMs } of JOBS) {
      for (const number of [attempts, backoffMs, timeoutMs]) expect(number).toBeGreaterThan(0);
    }
    expect(JOBS).toEqual([
      enhanceImage,
      analyzeImage,
      renderImage,
      renderLooks,
      renderSharePreview,
      probeVideo,
      enhanceVideo,
    ]);
    expect(QUEUE_NAMES).toContain(reportRun.queue);
  });

  it('has a separate queue for light runs of a kind that is heavy otherwise', () => {
    expect([queueOf(enhanceImage), queueOf(enhanceImage, 'light'), queueOf(enhanceImage, 'large')]).toEqual([
      'images',
      'colors',
      'large',
    ]);
    const renders = (['usual', 'light', 'large'] as const).map((weight) => queueOf(renderImage, weight));
    expect(renders).toEqual(['renders', 'renders', 'large']);
  });
});
