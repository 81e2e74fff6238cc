import { randomUUID } from 'node:crypto';
import { hasResult, type JobOutcome, type JobPayload, type Looks, renderLooks } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { RUN_PRIORITY, type RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import {
  currentOf,
  isVideo,
  type TaskLooks,
  type TaskOutputRow,
  type TaskRow,
  wrongState,
} from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { READ_URL_LIFETIME_SECONDS } from '../tasks/video-presenter.js';

type Outcome = JobOutcome<typeof renderLooks>;

@Injectable()
@KindOfRun(renderLooks)
export class LooksRun implements RunKind<typeof renderLooks, TaskRow> {
  constructor(private readonly tasks: TasksRepository) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof renderLooks> | null> {
    const task = await this.tasks.find(run.subjectId, manager);
    if (task?.looks?.runId !== run.id) return null;
    const image = task.outputs.find(({ runId }) => runId === task.looks?.outputRunId)?.image;
    if (!image?.baseKey) return null;
    return { subjectId: task.id, runId: run.id, baseKey: image.baseKey, aiPipeline: image.recipe.aiPipeline };
  }

  async lock(manager: EntityManager, run: RunRow): Promise<TaskRow | null> {
    const task = await this.tasks.lock(manager, run.subjectId);
    return task?.looks?.runId === run.id ? task : null;
  }

  async settle(manager: EntityManager, _run: RunRow, { id, looks }: TaskRow, outcome: Outcome): Promise<void> {
    if (!looks) return;
    const images = outcome.kind === 'completed' ? outcome.result.looks : [];
    const status = outcome.kind === 'completed' ? 'ready' : 'failed';
    await this.tasks.update(manager, id, { looks: { ...looks, status, images } });
  }
}

@Injectable()
export class LooksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
  ) {}

  /** Rendered once for each result; a failed one is repeated. */
  async request(caller: Caller, taskId: string): Promise<Looks> {
    const looks = await this.database.transaction(async (manager) => {
      const task = requireResult(await this.tasks.lockOwn(manager, caller, taskId));
      const current = currentLooks(task);
      return current && current.status !== 'failed' ? current : this.add(manager, task);
    });
    if (looks.status === 'pending') await this.runs.dispatch('colors');
    return this.present(looks);
  }

  async get(caller: Caller, taskId: string): Promise<Looks> {
    const task = requireResult(await this.tasks.requireOwn(caller, taskId));
    return this.present(currentLooks(task));
  }

  private async add(manager: EntityManager, task: TaskRow): Promise<TaskLooks> {
    const output = shownOf(task);
    const looks: TaskLooks = { runId: randomUUID(), outputRunId: output.runId, status: 'pending', images: [] };
    // Results of earlier versions have no picture to render from.
    if (!output.image.baseKey) return { ...looks, status: 'failed' };
    await this.runs.requireCapacity(manager, task.userId, 1);
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
