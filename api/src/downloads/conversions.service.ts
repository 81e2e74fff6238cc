import { type BulkUpload, hasOriginal, hasResult, type Task } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { BulkUploadsRepository } from '../tasks/bulk-uploads.repository.js';
import { servedOrder } from '../tasks/orders.js';
import { RenditionsService } from '../tasks/renditions.service.js';
import { currentOf, type TaskRow, wrongState } from '../tasks/task.entity.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { acceptFormat, type FormatRequest } from '../tasks/task-order.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

@Injectable()
export class ConversionsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly uploads: BulkUploadsRepository,
    private readonly renditions: RenditionsService,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
  ) {}

  async convert(caller: Caller, taskId: string, request: FormatRequest): Promise<{ task: Task; isReady: boolean }> {
    const { task, isReady } = await this.database.transaction(async (manager) => {
      const row = await this.tasks.lockOwn(manager, caller.userId, taskId);
      const output = currentOf(row);
      if (!hasResult(row.status) || !output) throw wrongState(row);
      const order = servedOrder(caller.role, row, output, acceptFormat(caller.role, request, row));
      const file = await this.renditions.ensure(manager, row, output, order, 'conversion');
      return { task: row, isReady: file.status === 'ready' };
    });
    await this.runs.dispatch('renders');
    return { task: await this.presenter.task(caller.role, task), isReady };
  }

  async convertInputs(
    caller: Caller,
    bulkUploadId: string,
    taskIds: readonly string[] | undefined,
  ): Promise<BulkUpload> {
    const tasks = await this.database.transaction(async (manager) => {
      const { tasks: all } = await this.uploads.lock(manager, caller.userId, bulkUploadId);
      const named = taskIds ? all.filter(({ id }) => taskIds.includes(id)) : all;
      if (taskIds && named.length < new Set(taskIds).size) throw new AppError('tasks.not_found');
      await this.order(manager, named, taskIds !== undefined);
      return all;
    });
    await this.runs.dispatch('renders');
    return this.presenter.bulkUpload(caller.role, bulkUploadId, tasks);
  }

  private async order(manager: EntityManager, tasks: readonly TaskRow[], areNamed: boolean): Promise<void> {
    for (const task of tasks) {
      if (hasOriginal(task.status)) await this.renditions.ensureConvertedOriginal(manager, task, 'conversion');
      else if (areNamed) throw wrongState(task);
    }
  }
}
