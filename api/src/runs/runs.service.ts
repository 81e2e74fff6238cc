import { type JobDefinition, jobIdOf, queueOf, RUN_QUEUES, type RunQueue, type RunWeight } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { RunDispatcher } from './dispatcher.js';
import { RUN_PRIORITY } from './run.entity.js';
import { RunRankings } from './run-progress.repository.js';
import { RunQueues } from './run-queues.js';
import { type NewRun, RunsRepository } from './runs.repository.js';
import { WorkerSlots } from './worker-slots.js';

const FULL_RETRY_SECONDS = 30;

/** A run without what follows from its kind. */
export type RunRequest = Omit<NewRun, 'kind' | 'queue'> & {
  readonly weight?: RunWeight;
};

@Injectable()
export class RunsService {
  private readonly logger = new Logger(RunsService.name);

  constructor(
    private readonly repository: RunsRepository,
    private readonly rankings: RunRankings,
    private readonly queues: RunQueues,
    private readonly slots: WorkerSlots,
    private readonly dispatcher: RunDispatcher,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Adds a run in the caller's transaction. The caller dispatches its queue after the commit; otherwise the sweep does.
   */
  async add(manager: EntityManager, definition: JobDefinition, { weight, ...run }: RunRequest): Promise<void> {
    await this.repository.insert(manager, { ...run, kind: definition.name, queue: queueOf(definition, weight) });
  }

  async dispatch(...queues: readonly RunQueue[]): Promise<void> {
    const filled = queues.length > 0 ? queues : RUN_QUEUES;
    for (const queue of filled) this.rankings.invalidate(queue);
    await Promise.all(filled.map((queue) => this.dispatcher.dispatch(queue)));
  }

  /**
   * Limits open runs of the user, renders aside, and, as a last resort, of all users. The caller holds the user or the
   * upload, so that two requests don't pass together.
   * @throws AppError `queue.full`
   */
  async requireCapacity(manager: EntityManager, userId: string, adding: number): Promise<void> {
    const { queueMaxPerUser, queueMaxWaiting } = this.limits;
    const open = await this.repository.countOpen(manager, userId, { own: queueMaxPerUser, all: queueMaxWaiting });
    if (open.own + adding > queueMaxPerUser || open.all + adding > queueMaxWaiting) {
      throw queueFull();
    }
  }

  /**
   * Limits files that a user requests: exports, conversions, probes of videos. The product's own, two for a picture,
   * count and are never refused.
   * @throws AppError `queue.full`
   */
  async requireDownloadCapacity(manager: EntityManager, userId: string): Promise<void> {
    const { queueMaxRendersPerUser: limit } = this.limits;
    if ((await this.repository.countOpenRenders(userId, limit, manager)) >= limit) throw queueFull();
  }

  /** Counts at most `limit`. */
  countOpenRenders(userId: string, limit: number): Promise<number> {
    return this.repository.countOpenRenders(userId, limit);
  }

  async prioritize(manager: EntityManager, runId: string): Promise<void> {
    await this.repository.setPriority(manager, runId, RUN_PRIORITY.paying);
  }

  async cancel(manager: EntityManager, runId: string): Promise<void> {
    await this.repository.close(manager, { id: runId, status: 'cancelled', errorCode: null, megapixels: null });
  }

  cancelAll(manager: EntityManager, subjectId: string): Promise<void> {
    return this.repository.cancelOpen(manager, subjectId);
  }

  /**
   * Notifies the queue after the commit of {@link cancel}. Only a hint: if it is lost, the run ends by itself and its
   * report is ignored. The next runs are dispatched without the caller, whose answer would wait for other dispatches.
   */
  async stop(runId: string): Promise<void> {
    await this.queues
      .cancel(runId)
      .catch((error: Error) => this.logger.warn(`could not stop ${jobIdOf(runId)}: ${error.message}`));
    void this.dispatch();
  }

  deleteRuns(manager: EntityManager, subjectIds: readonly string[]): Promise<void> {
    return this.repository.deleteRuns(manager, subjectIds);
  }

  deleteRunsOfUser(userId: string): Promise<void> {
    return this.repository.deleteRunsOfUser(userId);
  }

  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.repository.move(manager, from, to);
  }

  isServed(queue: RunQueue): Promise<boolean> {
    return this.slots.isServed(queue);
  }
}

const queueFull = (): AppError => new AppError('queue.full', { retryAfterSeconds: FULL_RETRY_SECONDS });
