import {
  canTransition,
  hasResult,
  isFinal,
  isRunning,
  isUntouched,
  objectKeys,
  type RouteInput,
  type Task,
  type TaskList,
  type taskRoutes,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Wait } from '../platform/http/preferred-wait.js';
import { addDeletions, finishDeletion } from '../platform/schedule/pending-deletions.js';
import { notifySettled, RunNotifications } from '../runs/run-notifications.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { KeyUsage } from '../usage/key-usage.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';
import { revertReprocessing } from './enhance-run.js';
import { isVideo, newestResultOf, type TaskRow, wrongState } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TasksRepository } from './tasks.repository.js';

const PURGE_BATCH = 100;

@Injectable()
export class TasksService {
  private readonly logger = new Logger(TasksService.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: TasksRepository,
    private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
    private readonly presenter: TaskPresenter,
    private readonly videos: VideoAllowances,
    private readonly usage: KeyUsage,
  ) {}

  async list(caller: Caller, query: RouteInput<typeof taskRoutes.listTasks>['query']): Promise<TaskList> {
    const { limit, startingAfter, endingBefore, mediaType, status: statuses } = query;
    const cursor = startingAfter ?? endingBefore;
    if (cursor) await this.repository.requireOwn(caller, cursor);
    const isNewer = endingBefore !== undefined;
    const wanted = { limit: limit + 1, cursor, isNewer, mediaType, statuses };
    const ids = await this.repository.listPage(caller, wanted);
    const page = isNewer ? ids.slice(-limit) : ids.slice(0, limit);
    const tasks = new Map((await this.presenter.tasks(caller.role, { id: page })).map((task) => [task.taskId, task]));
    return { data: page.flatMap((id) => tasks.get(id) ?? []), hasMore: ids.length > limit };
  }

  /**
   * @throws AppError unless the user's task is a picture with a result and is not paid for: `tasks.not_found`, `tasks.wrong_state`,
   * `exports.already_unlocked`, `exports.untouched`, `exports.test_picture`
   */
  async checkPayable(manager: EntityManager, userId: string, taskId: string): Promise<void> {
    const task = await this.repository.requireOwn({ userId }, taskId, manager);
    if (task.isTest) throw new AppError('exports.test_picture');
    if (task.exportedAt) throw new AppError('exports.already_unlocked');
    if (!hasResult(task.status) || isVideo(task)) throw wrongState(task);
    const newest = newestResultOf(task);
    if (newest && isUntouched(newest.image.recipe)) throw new AppError('exports.untouched');
  }

  async cancel(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.database.transaction(async (manager) => {
      const task = await this.repository.lockOwn(manager, caller, taskId);
      if (task.status === 'cancelled') return task;
      if (!canTransition(task.status, 'cancelled')) throw wrongState(task);
      const change = revertReprocessing(task) ?? { status: 'cancelled' as const };
      await this.repository.update(manager, task.id, change);
      if (isVideo(task)) await this.videos.release(manager, task.id);
      if (task.runId) await this.usage.cancel(manager, task.runId);
      if (change.status === 'cancelled') {
        await this.runs.cancelAll(manager, task.id);
        await addDeletions(manager, 'media', [task.id]);
      } else if (task.runId) await this.runs.cancel(manager, task.runId);
      await notifySettled(manager, task.id);
      return task;
    });
    await this.stopRun(task);
    const cancelled = await this.presenter.get(caller, taskId);
    if (cancelled.status === 'cancelled') await this.deleteNow(taskId);
    return cancelled;
  }

  /**
   * The task when it is final; as it is when the time is over or the client has left. No connection to the database is
   * held meanwhile.
   * @throws AppError `tasks.not_found`, also when it is deleted meanwhile
   */
  async waitUntilFinal(caller: Caller, taskId: string, { ms, signal }: Wait): Promise<TaskRow> {
    const read = () => this.repository.requireOwn(caller, taskId);
    const final = async () => {
      const task = await read();
      return isFinal(task.status) ? task : undefined;
    };
    return (await this.notifications.waitFor(taskId, ms, final, signal)) ?? read();
  }

  /**
   * Deletes tasks and their media.
   * @returns ids of tasks that are not the caller's
   */
  async delete(caller: Caller, taskIds: readonly string[]): Promise<string[]> {
    const ids = [...new Set(taskIds)];
    const rows = await this.database.transaction(async (manager) => {
      const tasks = await this.repository.lockAllOwn(manager, caller, ids);
      await this.deleteRows(manager, tasks);
      await addDeletions(
        manager,
        'media',
        tasks.map(({ id }) => id),
      );
      return tasks;
    });
    for (const row of rows) {
      await this.stopRun(row);
      await this.deleteNow(row.id);
    }
    return ids.filter((id) => !rows.some((row) => row.id === id));
  }

  /** A failure is left to the scheduled deletion. */
  private async deleteNow(taskId: string): Promise<void> {
    await this.finishDeletion(taskId).catch((error: Error) =>
      this.logger.warn({ taskId, err: error }, 'the media of a cancelled or deleted task are deleted later'),
    );
  }

  /** Deletes the media of a task that is cancelled or whose row is deleted. */
  async finishDeletion(taskId: string): Promise<void> {
    await this.deleteMedia(taskId);
    await finishDeletion(this.database.manager, 'media', taskId);
  }

  /** Has no effect after an extension of the expiry. */
  async purgeExpired(taskId: string): Promise<void> {
    const row = await this.repository.findExpired(taskId);
    if (row) await this.purge([row]);
  }

  async deleteAll(userId: string): Promise<void> {
    for (;;) {
      const rows = await this.repository.listOfUser(userId, PURGE_BATCH);
      if (rows.length === 0) return;
      await this.purge(rows);
    }
  }

  private async purge(rows: readonly TaskRow[]): Promise<void> {
    for (const { id } of rows) {
      await this.close(id);
      await this.deleteMedia(id);
    }
    await this.database.transaction(async (manager) => {
      await this.repository.lockUploadsOf(manager, rows);
      await this.deleteRows(manager, rows);
    });
  }

  /** Makes later uploads and reports for the task be rejected. */
  private async close(id: string): Promise<void> {
    const runId = await this.database.transaction(async (manager) => {
      const task = await this.repository.lockCancellable(manager, id);
      if (task) await this.repository.update(manager, id, { status: 'cancelled' });
      if (task && isVideo(task)) await this.videos.release(manager, id);
      // Includes runs that encode files of a finished task.
      await this.runs.cancelAll(manager, id);
      return task?.runId ?? null;
    });
    if (runId) await this.runs.stop(runId);
  }

  private async deleteRows(manager: EntityManager, rows: readonly TaskRow[]): Promise<void> {
    if (rows.length === 0) return;
    for (const row of rows) {
      if (isVideo(row)) await this.videos.release(manager, row.id);
      if (row.runId && isRunning(row.status)) await this.usage.cancel(manager, row.runId);
    }
    await this.repository.delete(manager, rows);
    await this.runs.deleteRuns(
      manager,
      rows.map(({ id }) => id),
    );
  }

  private async stopRun({ status, runId }: TaskRow): Promise<void> {
    if (runId && isRunning(status)) await this.runs.stop(runId);
  }

  private async deleteMedia(taskId: string): Promise<void> {
    await this.store.delete(objectKeys.uploadParts(taskId));
    await this.store.delete(objectKeys.upload(taskId));
    await this.store.delete(objectKeys.input(taskId));
    await this.store.delete(objectKeys.mask(taskId));
    await this.store.delete(objectKeys.results(taskId));
  }
}
