import {
  type JobDefinition,
  type JobOutcome,
  objectKeys,
  packJob,
  parseOutcome,
  type RunIds,
  reportRun,
  traceparentOf,
} from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { ObjectStore } from '@clearframe/runtime/storage';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';

/**
 * Reports outcomes to `api`. The first outcome never changes: a second worker on the run, after a stall or
 * republication, reports the stored one.
 */
@Injectable()
export class RunReports {
  constructor(
    @InjectQueue(reportRun.queue) private readonly queue: Queue,
    private readonly store: ObjectStore,
    { log }: RootLog,
  ) {
    this.queue.on('error', ({ message }) => log.debug({ reason: message }, 'the reports queue has no connection'));
  }

  /** Null before the run's end, or if an earlier version's outcome can't be parsed. */
  async find(definition: JobDefinition, { subjectId, runId }: RunIds): Promise<JobOutcome | null> {
    const stored = await this.store.readJson(objectKeys.report(subjectId, runId));
    if (stored === null) return null;
    try {
      return parseOutcome(definition, stored);
    } catch {
      return null;
    }
  }

  /** Stores and sends an outcome. @returns the stored one, possibly earlier */
  async settle(definition: JobDefinition, ids: RunIds, outcome: JobOutcome): Promise<JobOutcome> {
    const bytes = Buffer.from(JSON.stringify(outcome));
    const isFirst = await this.store.putOnce(objectKeys.report(ids.subjectId, ids.runId), bytes);
    const final = isFirst ? outcome : ((await this.find(definition, ids)) ?? outcome);
    await this.send(definition, ids, final);
    return final;
  }

  /** Waits for Redis without limit. */
  async send({ name }: JobDefinition, { subjectId, runId }: RunIds, outcome: JobOutcome): Promise<void> {
    const payload = { subjectId, runId, job: name, outcome };
    await this.queue.add(reportRun.name, packJob(reportRun, payload, traceparentOf(runId)), {
      jobId: `report-${runId}`,
      attempts: reportRun.attempts,
      backoff: { type: 'fixed', delay: reportRun.retryMs },
      // BullMQ's default stores the stack of every failed attempt.
      stackTraceLimit: 1,
      // Frees the id for another report of the run.
      removeOnComplete: true,
      removeOnFail: true,
    });
  }
}
