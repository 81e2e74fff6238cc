import type { TaskSharing } from '@clearframe/contract';

/** Public links of tasks; implemented by sharings. */
export abstract class TaskSharings {
  /** Live links by task id. */
  abstract listLive(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskSharing>>;
}
