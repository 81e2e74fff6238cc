import { type JobOutcome, type JobPayload, renderLooks } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import type { TaskRow } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

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
