import { objectKeys } from '@clearframe/contract';
import { ObjectStore, type StoredObject } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { DownloadFiles } from './download-files.repository.js';
import { currentOf, keptPartsOf, type TaskOutputRow, type TaskRow } from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';

export const KEPT_RESULTS = 12;
/** Restored pixels that are kept when their result is deleted: at most 32 MB each, one of each variant. */
const KEPT_PARTS = 8;

/**
 * The newest results, every downloaded one and the current one.
 * @param outputs newest first
 * @param downloaded ids of their runs
 */
export function keptResults(outputs: readonly TaskOutputRow[], downloaded: ReadonlySet<string>): TaskOutputRow[] {
  const current = currentOf({ outputs: [...outputs] });
  const kept = outputs.filter(
    (output, index) => index < KEPT_RESULTS || output === current || downloaded.has(output.runId),
  );
  const [newest, ...older] = kept;
  if (!newest || kept.length === outputs.length) return [...outputs];
  // Restored pixels serve later runs, whichever result they were computed for.
  const parts = new Map(
    keptPartsOf({ outputs: [...outputs] })
      .toReversed()
      .map((part) => [part.variant, part]),
  );
  const carried = [...parts.values()].toReversed().slice(0, KEPT_PARTS);
  return [{ ...newest, image: { ...newest.image, kept: carried } }, ...older];
}

@Injectable()
export class DiscardedFiles {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly downloads: DownloadFiles,
    private readonly store: ObjectStore,
  ) {}

  async delete(taskId: string): Promise<void> {
    const before = await this.tasks.find(taskId);
    if (!before || before.outputs.length < 2) return;
    const files = await this.list(taskId);
    // Read after the list, which has no files of later runs.
    const task = await this.tasks.find(taskId);
    if (!task) return;
    const isDiscarded = await this.discardedRuns(task, files);
    const parts = new Set(keptPartsOf(task).map(({ key }) => key));
    for (const { key } of files) if (isDiscarded(key) && !parts.has(key)) await this.store.delete(key);
    await this.deleteDownloads(task);
  }

  private async list(taskId: string): Promise<StoredObject[]> {
    const files: StoredObject[] = [];
    for await (const file of this.store.list(objectKeys.results(taskId))) files.push(file);
    return files;
  }

  /** All but the newest result, which open pages show until they are refreshed. */
  private async discardedRuns(task: TaskRow, files: readonly StoredObject[]): Promise<(key: string) => boolean> {
    const named = [task.runId, task.looks?.runId, ...task.outputs.map(({ runId }) => runId)];
    const used = new Set(named.flatMap((runId) => (runId ? [objectKeys.run(task.id, runId)] : [])));
    const unused = files.filter(({ key }) => !used.has(folderOf(key)));
    const looks = unused.filter(({ key }) => key.endsWith('/look-0.jpg'));
    const results = unused
      .filter(({ key }) => key.endsWith('/master.png'))
      .toSorted((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime());
    const discarded = new Set([...looks, ...results.slice(1)].map(({ key }) => folderOf(key)));
    return (key) => discarded.has(folderOf(key));
  }

  private async deleteDownloads({ id, outputs }: TaskRow): Promise<void> {
    const runs = new Set(outputs.map(({ runId }) => runId));
    const rows = await this.downloads.listFor([id]);
    for (const row of rows) {
      if (row.outputRunId === null || runs.has(row.outputRunId)) continue;
      await this.store.delete(objectKeys.run(id, row.id));
      await this.downloads.delete(row.id);
    }
  }
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);
