import { type BulkUpload, hasResult, isRunning, type Task } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RunsService } from '../../runs/runs.service.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { acceptFormat, type FormatWish } from '../processing/task-order.js';
import { lockBulkUpload } from '../records/bulk-upload-lock.js';
import { TaskRow } from '../records/task.entity.js';
import { servedOrder } from '../renditions/orders.js';
import { RenditionsService } from '../renditions/renditions.service.js';

/** What one may have, in formats one can use. Nothing is spent by it. */
@Injectable()
export class ConversionsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly renditions: RenditionsService,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
  ) {}

  /** Has the newest result made in another format. Says whether it is there already. */
  async convert(caller: Caller, taskId: string, wish: FormatWish): Promise<{ task: Task; isThere: boolean }> {
    const { task, isThere } = await this.database.transaction(async (manager) => {
      const row = await manager.findOne(TaskRow, {
        where: { id: taskId, userId: caller.userId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!row) throw new AppError('tasks.not_found');
      const [output] = row.outputs;
      if (!hasResult(row.status) || !output)
        throw new AppError('tasks.wrong_state', { details: { status: row.status } });
      const order = servedOrder(row, output, acceptFormat(caller.role, wish, row));
      const file = await this.renditions.ensure(manager, row, output, order);
      return { task: row, isThere: file.status === 'ready' };
    });
    await this.runs.dispatch('renders');
    return { task: await this.presenter.task(task), isThere };
  }

  /** Has a JPEG made of every original named that browsers can't show. */
  async convertInputs(
    caller: Caller,
    bulkUploadId: string,
    taskIds: readonly string[] | undefined,
  ): Promise<BulkUpload> {
    const tasks = await this.database.transaction(async (manager) => {
      const all = (await lockBulkUpload(manager, caller, bulkUploadId)).tasks;
      const named = taskIds ? all.filter(({ id }) => taskIds.includes(id)) : all;
      if (taskIds && named.length < new Set(taskIds).size) throw new AppError('tasks.not_found');
      await this.order(manager, named, taskIds !== undefined);
      return all;
    });
    await this.runs.dispatch('renders');
    return this.presenter.bulkUpload(bulkUploadId, tasks);
  }

  private async order(manager: EntityManager, tasks: readonly TaskRow[], areNamed: boolean): Promise<void> {
    for (const task of tasks) {
      const hasOriginal = isRunning(task.status) || hasResult(task.status) || task.status === 'failed';
      if (hasOriginal) await this.renditions.ensureOriginal(manager, task);
      else if (areNamed) throw new AppError('tasks.wrong_state', { details: { status: task.status } });
    }
  }
}
