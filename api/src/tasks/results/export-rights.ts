import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';

/**
 * Charges clean full-size downloads to plans and credits; implemented by billing. A task is charged at most once,
 * whatever the number and formats of its downloads.
 */
export abstract class ExportRights {
  /**
   * Reserves a download for a task, in the caller's transaction. Does nothing for a task that has one.
   * @throws AppError `exports.insufficient`
   */
  abstract reserve(manager: EntityManager, caller: Pick<Caller, 'userId' | 'isFree'>, taskId: string): Promise<void>;
  /** Spends the reservation: the file is ready. */
  abstract commit(manager: EntityManager, taskId: string): Promise<void>;
  /** Cancels the reservation: the file could not be rendered. */
  abstract release(manager: EntityManager, taskId: string): Promise<void>;
}
