import { describe, expect, it } from 'vitest';
import { enhanceImage, JOBS, RunOutcome, renderImage, reportRun } from './catalogue.js';
import { cancellationKey, jobIdOf, packJob, QUEUE_NAMES, unpackJob } from './define.js';

const run = { taskId: '8f9e7f7e-56b6-4f0e-9c61-000000000001', runId: '8f9e7f7e-56b6-4f0e-9c61-000000000002' };
const report = { ...run, outcome: { kind: 'failed', errorCode: 'tasks.failed' } } as const;

describe('a job', () => {
  it('arrives as it was sent', () => {
    const sent = JSON.parse(JSON.stringify(packJob(reportRun, report)));
    expect(sent.version).toBe(reportRun.version);
    expect(unpackJob(reportRun, sent)).toEqual(report);
  });

  it.each<[string, unknown]>([
    ['another version', { version: 99, payload: report }],
    ['no version', { payload: report }],
    ['no payload', { version: 1 }],
    ['a payload that does not fit', { version: 1, payload: { ...report, taskId: 'x' } }],
    ['an outcome that nobody knows', { version: 1, payload: { ...run, outcome: { kind: 'exploded' } } }],
    ['nothing', undefined],
    ['null', null],
    ['text', 'text'],
  ])('is refused with %s', (_what, data) => expect(() => unpackJob(reportRun, data)).toThrow());

  it('is found by its run', () => {
    expect(jobIdOf(run.runId)).toBe(`run-${run.runId}`);
    // BullMQ takes a colon for a separator of its own.
    expect(jobIdOf(run.runId)).not.toContain(':');
    expect(cancellationKey(run.runId)).toBe(`clearframe:cancelled:${run.runId}`);
  });
});

describe('the catalogue of jobs', () => {
  it('has one entry a name, on a queue that exists, tried and timed within reason', () => {
    expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
    for (const { queue, attempts, backoffMs, timeoutMs } of JOBS) {
      expect(QUEUE_NAMES).toContain(queue);
      for (const number of [attempts, backoffMs, timeoutMs]) expect(number).toBeGreaterThan(0);
    }
    expect(JOBS).toEqual([enhanceImage, renderImage, reportRun]);
  });

  it('lets a run end in four ways', () => {
    expect(RunOutcome.safeParse({ kind: 'cancelled' }).success).toBe(true);
    expect(RunOutcome.safeParse({ kind: 'invalid', errorCode: 'tasks.failed' }).success).toBe(false);
    expect(RunOutcome.safeParse({ kind: 'completed' }).success).toBe(false);
  });
});
