import type { TaskSharing } from '@clearframe/contract';

/** Public links of tasks; implemented by sharings. */
export abstract class TaskSharings {
  abstract listLive(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskSharing>>;
}
