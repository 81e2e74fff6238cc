import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';

/**
 * Who may download what clean and in full, and what that costs. Tasks ask; billing answers. A task is paid for at most
 * once, however often and in whatever formats it is downloaded.
 */
export abstract class ExportRights {
  /**
   * Sets one download aside for a task, in the caller's transaction. For a task that has one set aside or paid for
   * already, nothing happens.
   * @throws AppError `exports.insufficient`
   */
  abstract reserve(manager: EntityManager, caller: Pick<Caller, 'userId' | 'isFree'>, taskId: string): Promise<void>;
  /** The file is there: what was set aside is spent. */
  abstract commit(manager: EntityManager, taskId: string): Promise<void>;
  /** The file could not be made: what was set aside is given back. */
  abstract release(manager: EntityManager, taskId: string): Promise<void>;
}
