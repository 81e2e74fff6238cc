import {
  type EnhancedVideo,
  enhanceVideo,
  isRunning,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  VIDEO_MAX_SIDE,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { VideoAllowances } from '../billing/account/video-allowance/video-allowances.js';
import type { RunRow } from '../runs/model/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/model/run-kind.js';
import { videoPipelineOf } from '../tasks/presentation/video-presenter.js';
import { isVideo, type TaskRow, type VideoRow } from '../tasks/records/task.entity.js';
import { TasksRepository } from '../tasks/records/tasks.repository.js';
import { changeOf } from './video-outcomes.js';

type Outcome = JobOutcome<typeof enhanceVideo>;

@Injectable()
@KindOfRun(enhanceVideo)
export class VideoEnhanceRun implements RunKind<typeof enhanceVideo, VideoRow> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly allowances: VideoAllowances,
    private readonly store: ObjectStore,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof enhanceVideo> | null> {
    const task = await this.tasks.find(run.subjectId, manager);
    if (!task || !isVideo(task) || task.runId !== run.id || !isRunning(task.status)) return null;
    const { probe } = task.video;
    if (!probe) throw new Error(`the video ${task.id} was not read`);
    return {
      subjectId: task.id,
      runId: run.id,
      inputKey: objectKeys.input(task.id),
      metadata: probe,
      plan: probe.plan,
      aiPipeline: videoPipelineOf(task),
      maxSide: VIDEO_MAX_SIDE,
    };
  }

  /** Locks the owner too, because the allowance changes. */
  async lock(manager: EntityManager, run: RunRow): Promise<VideoRow | null> {
    const task = await this.tasks.lockWithOwner(manager, run.subjectId);
    return task && isVideo(task) && task.runId === run.id && isRunning(task.status) ? task : null;
  }

  async settle(manager: EntityManager, run: RunRow, task: VideoRow, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'completed') {
      await this.allowances.commit(manager, task.id);
      await this.tasks.update(manager, task.id, completed(task, run.id, outcome.result));
    } else {
      await this.allowances.release(manager, task.id);
      await this.tasks.update(manager, task.id, changeOf(task, outcome));
    }
  }

  async settled(run: RunRow): Promise<void> {
    if (!(await this.tasks.hasStatus(run.subjectId, 'invalid'))) return;
    await this.store.delete(objectKeys.input(run.subjectId));
    await this.store.delete(objectKeys.results(run.subjectId));
  }

  megapixelsOf({ result: { output } }: Outcome & { kind: 'completed' }): number {
    return (output.width * output.height) / 1e6;
  }
}

function completed(task: VideoRow, runId: string, result: EnhancedVideo): Partial<TaskRow> {
  const { previous: _, ...video } = task.video;
  return {
    status: task.exportedAt ? 'exported' : 'completed',
    errorCode: null,
    video: { ...video, result: { ...result, runId } },
  };
}
