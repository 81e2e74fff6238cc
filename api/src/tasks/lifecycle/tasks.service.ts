import { isRunning, mayFollow, objectKeys, TASK_STATUSES, type Task, type TaskList } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, LessThan } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RunsService } from '../../runs/runs.service.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { revertReprocessing } from '../processing/enhance-run.js';
import { TaskRow } from '../records/task.entity.js';

const PURGE_BATCH = 100;
const OPEN_STATUSES = TASK_STATUSES.filter((status) => mayFollow(status, 'cancelled'));

/** One task at a time: looking, stopping, deleting. */
@Injectable()
export class TasksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
  ) {}

  async get(caller: Caller, taskId: string): Promise<Task> {
    return this.presenter.task(await this.find(caller, taskId));
  }

  /** Newest first. `startingAfter` is the last task of the list before, or the start is meant. */
  async list(caller: Caller, page: { readonly limit: number; readonly startingAfter?: string }): Promise<TaskList> {
    const query = this.database.manager
      .createQueryBuilder(TaskRow, 'task')
      .where({ userId: caller.userId })
      .orderBy({ 'task.createdAt': 'DESC', 'task.id': 'DESC' })
      .limit(page.limit + 1);
    if (page.startingAfter) {
      const { id } = await this.find(caller, page.startingAfter);
      // Compared in the database: its times are finer than ours.
      query.andWhere('(task.createdAt, task.id) < (SELECT created_at, id FROM tasks WHERE id = :id)', { id });
    }
    const rows = await query.getMany();
    return { data: await this.presenter.tasks(rows.slice(0, page.limit)), hasMore: rows.length > page.limit };
  }

  /** @throws AppError `tasks.not_found` when there is none, or it is somebody else's */
  private async find({ userId }: Caller, id: string): Promise<TaskRow> {
    const row = await this.database.manager.findOneBy(TaskRow, { id, userId });
    if (!row) throw new AppError('tasks.not_found');
    return row;
  }

  /** Stops a task that is not finished and deletes what was sent for it, unless there is an earlier result of it. */
  async cancel(caller: Caller, taskId: string): Promise<Task> {
    const { before, after } = await this.database.transaction(async (manager) => {
      const task = await manager.findOne(TaskRow, {
        where: { id: taskId, userId: caller.userId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!task) throw new AppError('tasks.not_found');
      if (task.status === 'cancelled') return { before: task, after: task };
      if (!mayFollow(task.status, 'cancelled')) {
        throw new AppError('tasks.wrong_state', { details: { status: task.status } });
      }
      const change = revertReprocessing(task) ?? { status: 'cancelled' as const };
      await manager.update(TaskRow, task.id, change);
      if (task.runId) await this.runs.cancel(manager, task.runId);
      return { before: task, after: { ...task, ...change } };
    });
    await this.stopWork(before);
    // A picture that was being made again keeps what it has.
    if (after.status === 'cancelled') await this.deleteBytes(after.id);
    return this.presenter.task(after);
  }

  /** Deletes tasks and their bytes at once. All must be the caller's, or nothing is deleted. */
  async delete(caller: Caller, taskIds: readonly string[]): Promise<void> {
    const ids = [...new Set(taskIds)];
    const rows = await this.database.transaction(async (manager) => {
      // Uploads before tasks, as `process` locks them: the other way round the two could wait for each other.
      await manager.query(
        `SELECT FROM bulk_uploads WHERE id IN (SELECT bulk_upload_id FROM tasks WHERE id = ANY ($1) AND user_id = $2)
         ORDER BY id FOR UPDATE`,
        [ids, caller.userId],
      );
      const tasks = await manager.find(TaskRow, {
        where: { id: In(ids), userId: caller.userId },
        lock: { mode: 'pessimistic_write' },
      });
      if (tasks.length < ids.length) throw new AppError('tasks.not_found');
      await deleteRows(manager, this.runs, tasks);
      return tasks;
    });
    await this.erase(rows);
  }

  /** Deletes a task with its bytes, unless it has been kept longer in the meantime. */
  async purgeExpired(taskId: string): Promise<void> {
    const row = await this.database.manager.findOneBy(TaskRow, { id: taskId, expiresAt: LessThan(new Date()) });
    if (row) await this.purge([row]);
  }

  /** Deletes everything of a user. */
  async deleteAll(userId: string): Promise<void> {
    for (;;) {
      const rows = await this.database.manager.find(TaskRow, { where: { userId }, take: PURGE_BATCH });
      if (rows.length === 0) return;
      await this.purge(rows);
    }
  }

  /** Rows last: what breaks off in between is found and finished the next time. */
  private async purge(rows: readonly TaskRow[]): Promise<void> {
    for (const { id } of rows) {
      await this.close(id);
      await this.deleteBytes(id);
    }
    await deleteRows(this.database.manager, this.runs, rows);
  }

  /** Stops a task, however it stands now: uploads and reports that come later are refused. */
  private async close(id: string): Promise<void> {
    const runId = await this.database.transaction(async (manager) => {
      const task = await manager.findOne(TaskRow, {
        where: { id, status: In(OPEN_STATUSES) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!task) return null;
      await manager.update(TaskRow, id, { status: 'cancelled' });
      if (task.runId) await this.runs.cancel(manager, task.runId);
      return task.runId;
    });
    if (runId) await this.runs.stop(runId);
  }

  private async erase(rows: readonly TaskRow[]): Promise<void> {
    for (const row of rows) {
      await this.stopWork(row);
      await this.deleteBytes(row.id);
    }
  }

  private async stopWork({ status, runId }: TaskRow): Promise<void> {
    if (runId && isRunning(status)) await this.runs.stop(runId);
  }

  private async deleteBytes(taskId: string): Promise<void> {
    await this.store.delete(objectKeys.upload(taskId));
    await this.store.delete(objectKeys.input(taskId));
    await this.store.delete(objectKeys.results(taskId));
  }
}

/** Deletes tasks with what is known about their runs, and the uploads that have none left. */
async function deleteRows(manager: EntityManager, runs: RunsService, rows: readonly TaskRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await manager.delete(TaskRow, ids);
  await runs.forget(manager, ids);
  await manager.query(
    `DELETE FROM bulk_uploads b WHERE id = ANY ($1)
     AND NOT EXISTS (SELECT FROM tasks t WHERE t.bulk_upload_id = b.id)`,
    [rows.map(({ bulkUploadId }) => bulkUploadId)],
  );
}
