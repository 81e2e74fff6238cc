import type { RunQueue } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';

const COMMAND_TIMEOUT_MS = 1_500;

/** BullMQ waits for Redis without a limit; requests can't. */
export class RedisQueues {
  private readonly queues: ReadonlyMap<RunQueue, Queue>;

  constructor(queues: readonly Queue[]) {
    const logger = new Logger(RedisQueues.name);
    this.queues = new Map(queues.map((queue) => [queue.name as RunQueue, queue]));
    for (const [name, queue] of this.queues) queue.on('error', ({ message }) => logger.debug(`${name}: ${message}`));
  }

  list(): readonly Queue[] {
    return [...this.queues.values()];
  }

  /** @throws Error when Redis does not respond in time. The command may still take effect; repeating it is harmless */
  async call<Result>(name: RunQueue, command: (queue: Queue) => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    return withTimeout(command(queue), COMMAND_TIMEOUT_MS, () => {
      throw new Error('Redis does not respond');
    });
  }
}
