import { hasResult, inMilliseconds, type Role } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { RunsService } from '../runs/runs.service.js';
import { DownloadFiles } from './download-files.js';
import { ORIGINAL_DISPLAY } from './download-spec.js';
import { type ServedOutput, type ServedTask, servedFiles } from './served-files.js';
import { currentOf, type Format, type TaskRow } from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';

/** A read waits this long for files that it requests: one takes well under a second. */
const READ_WAIT_MS = inMilliseconds.seconds(3);

export interface ReadOptions {
  readonly requestsMissing?: boolean;
  readonly waitMs?: number;
  /** Of results; absent: the format of each. */
  readonly format?: Format | undefined;
}

export interface TaskWithFiles {
  readonly task: TaskRow;
  readonly files: ServedTask;
}

@Injectable()
export class TaskFiles {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly downloads: DownloadFiles,
    private readonly runs: RunsService,
  ) {}

  /**
   * Requests files that are missing after a change of plan or in tasks of older versions, and waits for those of finished tasks.
   * With several tasks, creates missing files of the current result only. One query when nothing is missing.
   */
  async read(
    role: Role,
    rows: readonly TaskRow[],
    { requestsMissing = true, waitMs = READ_WAIT_MS, format }: ReadOptions = {},
  ): Promise<TaskWithFiles[]> {
    const found = await this.list(role, rows, format);
    const lacking = found.filter((row) => row.files.lacksDisplay || outputsToFill(row, rows.length).length > 0);
    if (lacking.length === 0 || !requestsMissing) return found;
    const ids = lacking.map(({ task }) => task.id);
    const awaited = await this.request(role, ids, rows.length, format);
    if (awaited.length === 0) return found;
    await Promise.all(awaited.map((id) => this.downloads.waitUntilSettled(id, waitMs)));
    return this.list(role, rows, format);
  }

  async encode(taskId: string, { output, spec }: ServedOutput, waitMs: number): Promise<void> {
    const file = await this.database.transaction(async (manager) => {
      const task = await this.tasks.lock(manager, taskId);
      return task && this.downloads.ensure(manager, task, output, spec);
    });
    await this.runs.dispatch('renders');
    if (file) await this.downloads.waitUntilSettled(file.id, waitMs);
  }

  private async list(
    role: Role,
    rows: readonly TaskRow[],
    format: Format | undefined,
    manager: EntityManager = this.database.manager,
  ): Promise<TaskWithFiles[]> {
    const files = await this.downloads.listFor(
      rows.map(({ id }) => id),
      manager,
    );
    return rows.map((task) => {
      const own = files.filter(({ taskId }) => taskId === task.id);
      return { task, files: servedFiles(role, task, own, format) };
    });
  }

  private async request(
    role: Role,
    taskIds: readonly string[],
    taskCount: number,
    format: Format | undefined,
  ): Promise<string[]> {
    const awaited = await this.database.transaction(async (manager) => {
      const ids: string[] = [];
      for (const row of await this.list(role, await this.tasks.lockUnlocked(manager, taskIds), format, manager)) {
        const { task, files } = row;
        if (files.lacksDisplay) {
          const original = await this.downloads.ensureOriginal(manager, task, ORIGINAL_DISPLAY);
          // Shown beside the result.
          if (hasResult(task.status)) ids.push(original.id);
        }
        for (const { output, missing } of outputsToFill(row, taskCount)) {
          for (const spec of missing) ids.push((await this.downloads.ensure(manager, task, output, spec)).id);
        }
      }
      return ids;
    });
    await this.runs.dispatch('renders');
    return awaited;
  }
}

function outputsToFill({ task, files }: TaskWithFiles, taskCount: number): readonly ServedOutput[] {
  const current = currentOf(task);
  return files.outputs.filter(
    ({ output, missing }) => missing.length > 0 && (taskCount === 1 || output.runId === current?.runId),
  );
}
