import { randomUUID } from 'node:crypto';
import { type BulkUpload, canTransition, enhanceImage, type ReprocessInput } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { KeyUsage } from '../usage/key-usage.js';
import { acceptReprocess, downloadSpecFor, enhanceRunOf, ProcessingSettings, runSettings } from './enhance-request.js';
import type { TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TasksRepository } from './tasks.repository.js';

interface Restart {
  readonly input: ReprocessInput;
  readonly settings: Awaited<ReturnType<ProcessingSettings['read']>>;
}

@Injectable()
export class ReprocessService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly settings: ProcessingSettings,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
    private readonly usage: KeyUsage,
  ) {}

  /** All or none. */
  async reprocess(caller: Caller, bulkUploadId: string, inputs: readonly ReprocessInput[]): Promise<BulkUpload> {
    const taskIds = inputs.map(({ clientTaskId }) => clientTaskId);
    // Before the transaction: it holds a connection, and reading may take another.
    const settings = await this.settings.read();
    await this.database.transaction(async (manager) => {
      const { tasks } = await this.tasks.lockUpload(manager, caller, bulkUploadId, taskIds);
      await this.runs.requireCapacity(manager, caller.userId, inputs.length);
      for (const task of tasks) {
        const input = inputs.find(({ clientTaskId }) => clientTaskId === task.id);
        if (input) await this.restart(manager, caller, task, { input, settings });
      }
    });
    await this.runs.dispatch('images', 'colors', 'large');
    return this.presenter.bulkUpload(caller.role, bulkUploadId, taskIds);
  }

  private async restart(
    manager: EntityManager,
    caller: Caller,
    task: TaskRow,
    { input, settings }: Restart,
  ): Promise<void> {
    if (!canTransition(task.status, 'reprocessing')) {
      throw new AppError('tasks.wrong_state', { details: { task_id: task.id, status: task.status } });
    }
    const accepted = acceptReprocess(caller, task, input, settings);
    const next: TaskRow = {
      ...task,
      ...accepted,
      status: 'reprocessing',
      runId: randomUUID(),
      rendition: downloadSpecFor(caller.role, { ...task, ...accepted }, input.preview),
      processing: runSettings(settings, input.preview),
      errorCode: null,
    };
    await this.tasks.save(manager, next);
    await this.usage.accept(manager, caller, [next]);
    await this.runs.add(manager, enhanceImage, enhanceRunOf(next, caller.role));
  }
}
