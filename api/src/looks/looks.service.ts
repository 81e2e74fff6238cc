import { randomUUID } from 'node:crypto';
import { hasResult, type Looks, renderLooks } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { RUN_PRIORITY } from '../runs/run.entity.js';
import { RunCapacity } from '../runs/run-capacity.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { currentOf, isVideo, type TaskLooks, type TaskOutputRow, type TaskRow } from '../tasks/task.entity.js';
import { wrongState } from '../tasks/task-errors.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { READ_URL_LIFETIME_SECONDS } from '../tasks/video-presenter.js';

@Injectable()
export class LooksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly capacity: RunCapacity,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
  ) {}

  /** Rendered once for each result; a failed order is repeated. */
  async order({ userId }: Caller, taskId: string): Promise<Looks> {
    const looks = await this.database.transaction(async (manager) => {
      const task = requireResult(await this.tasks.lockOwn(manager, userId, taskId));
      const current = currentLooks(task);
      return current && current.status !== 'failed' ? current : this.add(manager, task);
    });
    if (looks.status === 'pending') await this.runs.dispatch('colors');
    return this.present(looks);
  }

  async get({ userId }: Caller, taskId: string): Promise<Looks> {
    const task = requireResult(await this.tasks.requireOwn(userId, taskId));
    return this.present(currentLooks(task));
  }

  private async add(manager: EntityManager, task: TaskRow): Promise<TaskLooks> {
    const output = shownOf(task);
    const looks: TaskLooks = { runId: randomUUID(), outputRunId: output.runId, status: 'pending', images: [] };
    // Results of earlier versions have no picture to render from.
    if (!output.image.baseKey) return { ...looks, status: 'failed' };
    await this.capacity.check(manager, task.userId, 1);
    await this.tasks.update(manager, task.id, { looks });
    await this.runs.add(manager, renderLooks, {
      id: looks.runId,
      subjectId: task.id,
      userId: task.userId,
      priority: RUN_PRIORITY.free,
    });
    return looks;
  }

  private async present(looks: TaskLooks | null): Promise<Looks> {
    if (!looks) return { status: 'pending', looks: [] };
    const { status, images } = looks;
    const presented = images.map(async ({ key, ...look }, index) => ({
      ...look,
      url: await this.store.signRead({
        key,
        contentType: 'image/jpeg',
        fileName: `look-${index}.jpg`,
        expiresInSeconds: READ_URL_LIFETIME_SECONDS,
      }),
    }));
    return { status, looks: await Promise.all(presented) };
  }
}

function requireResult(task: TaskRow): TaskRow {
  if (!hasResult(task.status) || isVideo(task)) throw wrongState(task);
  return task;
}

function shownOf(task: TaskRow): TaskOutputRow {
  const output = currentOf(task);
  if (!output) throw new Error(`task ${task.id} has no result`);
  return output;
}

const currentLooks = (task: TaskRow): TaskLooks | null =>
  task.looks?.outputRunId === shownOf(task).runId ? task.looks : null;
