import { objectKeys, RUNNING_STATUSES, type RunOutcome } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, LessThan } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RunKeeper, type UnsettledRun } from '../queue/run-keeper.js';
import { ObjectStore } from '../storage/object-store.js';
import { type PromisedUpload, type ReceivedUpload, UploadTasks } from '../uploads/upload-tasks.js';
import { TaskRow } from './task.entity.js';
import { runJobOf } from './task-order.js';

/** What the queue and the uploads need of tasks. */
@Injectable()
export class TaskRunsService implements RunKeeper, UploadTasks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: ObjectStore,
  ) {}

  async settle(taskId: string, runId: string, outcome: RunOutcome): Promise<void> {
    const isTaken = await this.database.transaction(async (manager) => {
      const task = await manager.findOne(TaskRow, {
        where: { id: taskId, runId, status: In([...RUNNING_STATUSES]) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!task) return false;
      await manager.update(TaskRow, task.id, changeOf(task, runId, outcome));
      return true;
    });
    if (!isTaken) await this.discardStray(taskId, runId);
    else if (outcome.kind !== 'completed') await this.store.delete(objectKeys.run(taskId, runId));
    // What nobody can use is not kept; a failed picture's original is, the fault being ours.
    if (isTaken && outcome.kind === 'invalid') await this.store.delete(objectKeys.input(taskId));
  }

  async unsettled(olderThanMs: number, limit: number): Promise<readonly UnsettledRun[]> {
    const rows = await this.database.manager.find(TaskRow, {
      where: { status: In([...RUNNING_STATUSES]), queuedAt: LessThan(new Date(Date.now() - olderThanMs)) },
      order: { queuedAt: 'ASC' },
      take: limit,
    });
    return rows.flatMap((row) => {
      const { id: taskId, runId, rendition } = row;
      return runId && rendition ? [{ taskId, runId, job: runJobOf(row, runId, rendition) }] : [];
    });
  }

  async beginUpload(taskId: string): Promise<PromisedUpload> {
    const { manager } = this.database;
    const task = await manager.findOneBy(TaskRow, { id: taskId });
    if (!task) throw new AppError('uploads.not_found');
    if (!(await this.updateOpen(taskId, {}))) throw new AppError('uploads.closed');
    return { sizeBytes: task.declaredSizeBytes, sha256: task.sha256 };
  }

  async finishUpload(taskId: string, { sizeBytes, contentType }: ReceivedUpload): Promise<boolean> {
    return this.updateOpen(taskId, { sizeBytes, contentType });
  }

  /** Changes a task that still takes bytes. False when it no longer does. */
  private async updateOpen(
    taskId: string,
    change: Pick<Partial<TaskRow>, 'sizeBytes' | 'contentType'>,
  ): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      TaskRow,
      { id: taskId, status: In(['started', 'uploading']) },
      { status: 'uploading', ...change },
    );
    return affected === 1;
  }

  /** The bytes of a run that was cancelled, deleted or replaced meanwhile; never those of a result that counts. */
  private async discardStray(taskId: string, runId: string): Promise<void> {
    const task = await this.database.manager.findOneBy(TaskRow, { id: taskId });
    if (task?.outputs.some((output) => output.runId === runId)) return;
    await this.store.delete(objectKeys.run(taskId, runId));
  }
}

function changeOf(task: TaskRow, runId: string, outcome: RunOutcome): Partial<TaskRow> {
  switch (outcome.kind) {
    case 'completed':
      return { status: 'completed', outputs: [{ runId, image: outcome.result }, ...task.outputs], errorCode: null };
    case 'invalid':
      return { status: 'invalid', errorCode: outcome.errorCode };
    case 'failed':
      return { status: 'failed', errorCode: outcome.errorCode };
    case 'cancelled':
      return { status: 'cancelled' };
  }
}
