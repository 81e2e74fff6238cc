import type { EntityManager } from 'typeorm';
import type { Caller } from '../sessions/caller.js';

/**
 * Charges clean full-size downloads to plans and credits; implemented by billing. A task is charged at most once,
 * whatever its downloads.
 */
export abstract class ExportRights {
  /**
   * Reserves a download in the caller's transaction, unless the task has one.
   * @throws AppError `exports.insufficient`
   */
  abstract reserve(manager: EntityManager, caller: Pick<Caller, 'userId' | 'isFree'>, taskId: string): Promise<void>;
  abstract commit(manager: EntityManager, taskId: string): Promise<void>;
  abstract release(manager: EntityManager, taskId: string): Promise<void>;
  /** Those of the tasks whose download is paid for or reserved. */
  abstract listUnlocked(taskIds: readonly string[]): Promise<ReadonlySet<string>>;
}
