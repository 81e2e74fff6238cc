import { JOBS } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { OutboxMessage } from './outbox.entity.js';
import { Queues, type ReadyJob } from './queues.js';

const BATCH = 50;

/**
 * Jobs are written down in the transaction that decides on them and published after it: a job that was decided on is
 * never lost, and one that was rolled back is never published. Publishing twice is harmless, job ids see to that.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger(Outbox.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly queues: Queues,
  ) {}

  async add(manager: EntityManager, jobs: readonly ReadyJob[]): Promise<void> {
    await manager.insert(
      OutboxMessage,
      jobs.map(({ definition, jobId, payload }) => ({
        job: definition.name,
        jobId,
        payload: payload as object,
        createdAt: new Date(),
      })),
    );
  }

  /** Publishes what is waiting. False when Redis would not take it; it stays for the next time. */
  async flush(): Promise<boolean> {
    try {
      while ((await this.publishBatch()) === BATCH);
      return true;
    } catch (error) {
      this.logger.warn(`jobs stay in the outbox: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** Several processes may publish at once: each takes rows that no other holds. */
  private publishBatch(): Promise<number> {
    return this.database.transaction(async (manager) => {
      const messages = await manager
        .createQueryBuilder(OutboxMessage, 'message')
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .orderBy('message.id')
        .limit(BATCH)
        .getMany();
      await this.queues.publish(messages.map(readyJobOf));
      if (messages.length > 0)
        await manager.delete(
          OutboxMessage,
          messages.map(({ id }) => id),
        );
      return messages.length;
    });
  }
}

function readyJobOf({ job, jobId, payload }: OutboxMessage): ReadyJob {
  const definition = JOBS.find(({ name }) => name === job);
  if (!definition) throw new Error(`the outbox holds a job that the catalogue does not: ${job}`);
  return { definition, jobId, payload };
}
