import type { TaskSharing } from '@clearframe/contract';

export abstract class TaskSharings {
  abstract listLive(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskSharing>>;
}
