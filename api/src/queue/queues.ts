import {
  type JobDefinition,
  type JobPayload,
  packJob,
  QUEUE_NAMES,
  type QueueName,
  REDIS_PREFIX,
} from '@clearframe/contract';
import { RedisConfig } from '@clearframe/runtime/redis';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type JobsOptions, Queue } from 'bullmq';
import { closeWithin } from './close-within.js';

const COMMAND_TIMEOUT_MS = 1_500;
const KEEP_FAILED_SECONDS = 3_600;

/** A job ready to be put on its queue. `jobId` makes publishing twice the same as once. */
export interface ReadyJob {
  readonly definition: JobDefinition;
  readonly jobId: string;
  readonly payload: unknown;
}

/** Pairs a definition with a payload that fits it. */
export const readyJob = <Definition extends JobDefinition>(
  definition: Definition,
  jobId: string,
  payload: JobPayload<Definition>,
): ReadyJob => ({ definition, jobId, payload });

/** A finished job leaves nothing in Redis, since what came of it is in the database; a failed one stays to be looked at. */
const optionsOf = ({ definition, jobId }: ReadyJob): JobsOptions => ({
  jobId,
  attempts: definition.attempts,
  backoff: { type: 'exponential', delay: definition.backoffMs },
  removeOnComplete: true,
  removeOnFail: { age: KEEP_FAILED_SECONDS },
});

/** Our queues, with connections that fail fast while Redis is away. */
@Injectable()
export class Queues implements OnApplicationShutdown {
  private readonly queues: Readonly<Record<QueueName, Queue>>;

  constructor(config: RedisConfig) {
    const logger = new Logger(Queues.name);
    const open = (name: QueueName): Queue => {
      const queue = new Queue(name, {
        prefix: REDIS_PREFIX,
        connection: {
          url: config.url,
          enableOfflineQueue: false,
          maxRetriesPerRequest: 0,
          commandTimeout: COMMAND_TIMEOUT_MS,
        },
      });
      queue.on('error', (error) => logger.debug(`queue ${name}: ${error.message}`));
      return queue;
    };
    this.queues = Object.fromEntries(QUEUE_NAMES.map((name) => [name, open(name)])) as Record<QueueName, Queue>;
  }

  named(name: QueueName): Queue {
    return this.queues[name];
  }

  async publish(jobs: readonly ReadyJob[]): Promise<void> {
    for (const job of jobs) {
      const { name, queue } = job.definition;
      await this.queues[queue].add(name, packJob(job.definition, job.payload), optionsOf(job));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.queues).map(closeWithin));
  }
}
