import { type JobDefinition, type JobOutcome, type JobPayload, RUN_QUEUES, type RunQueue } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { RunRow } from './run.entity.js';
import { RunKinds } from './run-kind.js';
import { RunQueues } from './run-queues.js';
import { RunsRepository } from './runs.repository.js';
import { Settlement } from './settlement.js';
import { WorkerSlots } from './worker-slots.js';

const FAILED: JobOutcome = { kind: 'failed', errorCode: 'tasks.failed' };

/**
 * Moves waiting runs to the queues. Redis holds only as many as workers can take, so that the order of waiting runs is
 * decided when a slot becomes free.
 */
@Injectable()
export class RunDispatcher {
  private readonly logger = new Logger(RunDispatcher.name);
  private readonly passes = new Map<RunQueue, { running: Promise<void>; again: Promise<void> | null }>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: RunsRepository,
    private readonly kinds: RunKinds,
    private readonly queues: RunQueues,
    private readonly slots: WorkerSlots,
    private readonly settlement: Settlement,
  ) {}

  async dispatchAll(): Promise<void> {
    await Promise.all(RUN_QUEUES.map((queue) => this.dispatch(queue)));
  }

  dispatch(queue: RunQueue): Promise<void> {
    const current = this.passes.get(queue);
    if (!current) return this.begin(queue);
    current.again ??= current.running.then(() => this.begin(queue));
    return current.again;
  }

  private begin(queue: RunQueue): Promise<void> {
    const running = this.fill(queue)
      .catch((error: Error) => this.logger.warn(`${queue} could not be filled: ${error.message}`))
      .finally(() => {
        if (this.passes.get(queue)?.running === running) this.passes.delete(queue);
      });
    this.passes.set(queue, { running, again: null });
    return running;
  }

  private async fill(queue: RunQueue): Promise<void> {
    const window = await this.slots.windowOf(queue);
    const limits = new Map(this.kinds.definitions.map((job) => [job.name, window.sizeFor(job)]));
    const dispatched = await this.repository.dispatchNext(queue, window.size, limits);
    for (const run of dispatched) {
      await this.publish(run).catch(({ message }: Error) =>
        this.logger.warn({ runId: run.id, kind: run.kind }, `a run waits for the sweep: ${message}`),
      );
    }
  }

  /**
   * Publishes a dispatched run. Settles one whose payload can't be built.
   * @throws when Redis does not accept it
   */
  async publish(run: RunRow): Promise<void> {
    const registered = this.kinds.find(run.kind);
    if (!registered) return;
    const { definition, kind } = registered;
    let payload: JobPayload<JobDefinition> | null;
    try {
      const built = await kind.payload(this.database.manager, run);
      payload = built && definition.payload.parse(built);
    } catch (error) {
      this.logger.error({ runId: run.id, kind: run.kind, err: error }, 'the payload of a run could not be built');
      await this.settlement.settle(run, FAILED);
      return;
    }
    if (payload === null) await this.settlement.settle(run, { kind: 'cancelled' });
    else await this.queues.publish(run, definition, payload);
  }
}
