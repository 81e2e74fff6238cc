import {
  inMilliseconds,
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

/** While `api` can't settle a report, as without PostgreSQL, it is tried again this often ... */
const RETRY_MS = inMilliseconds.seconds(2);
/** ... for about a day. The sweep of `api` has a run reported again whose report was given up. */
const ATTEMPTS = 40_000;

/**
 * Tells `api` how runs ended. The outcome is stored first and never changes: a second worker with the same run, be it
 * that the first was wrongly taken for dead or that the run was published again, reports what the first one stored.
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

  /** How a run ended, or null when it has not ended yet, or in an earlier version whose outcome can't be read. */
  async find(definition: JobDefinition, { subjectId, runId }: RunIds): Promise<JobOutcome | null> {
    const stored = await this.store.readJson(objectKeys.report(subjectId, runId));
    if (stored === null) return null;
    try {
      return parseOutcome(definition, stored);
    } catch {
      return null;
    }
  }

  /** Makes an outcome final and sends it. @returns the outcome that is final, which may be an earlier one */
  async settle(definition: JobDefinition, ids: RunIds, outcome: JobOutcome): Promise<JobOutcome> {
    const bytes = Buffer.from(JSON.stringify(outcome));
    const isFirst = await this.store.putOnce(objectKeys.report(ids.subjectId, ids.runId), bytes);
    const final = isFirst ? outcome : ((await this.find(definition, ids)) ?? outcome);
    await this.send(definition, ids, final);
    return final;
  }

  /** Sends an outcome; waits for Redis as long as it takes. */
  async send({ name }: JobDefinition, { subjectId, runId }: RunIds, outcome: JobOutcome): Promise<void> {
    const payload = { subjectId, runId, job: name, outcome };
    await this.queue.add(reportRun.name, packJob(reportRun, payload, traceparentOf(runId)), {
      jobId: `report-${runId}`,
      attempts: ATTEMPTS,
      backoff: { type: 'fixed', delay: RETRY_MS },
      // Nothing stays behind under this id, so that a run whose report was lost can be reported again.
      removeOnComplete: true,
      removeOnFail: true,
    });
  }
}
