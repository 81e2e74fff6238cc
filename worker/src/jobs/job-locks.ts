import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { hasRunningOwner, OWN_FILES } from '@clearframe/runtime/process';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';

const HOST = `@${hostname()}`;

/** BullMQ locks a job with the worker's id and a number: the id tells the process and its machine. */
export function nameLocks(worker: Worker): void {
  Object.assign(worker, { id: `${OWN_FILES}${randomUUID()}${HOST}` });
}

const isOfDead = (lock: string): boolean => lock.includes(`${HOST}:`) && !hasRunningOwner(lock);

/**
 * Ends locks of this machine's processes that were killed, which would hold their jobs for as long as a living one on a
 * starved machine may be silent. The next checks for stalled jobs find them.
 */
export async function freeLocksOfDead(worker: Worker, redis: Redis): Promise<void> {
  for (const jobId of await redis.lrange(worker.toKey('active'), 0, -1)) {
    const key = worker.toKey(`${jobId}:lock`);
    const lock = await redis.get(key);
    if (lock !== null && isOfDead(lock)) await redis.del(key);
  }
}
