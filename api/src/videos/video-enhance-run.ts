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
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { isVideo, type TaskRow, type VideoRow, versionsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { videoPipelineOf } from '../tasks/video-presenter.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';
import { changeOf } from './video-outcomes.js';

/** Results of one video, whose files may have a hundred megabytes each. */
const KEPT_VERSIONS = 5;
const RESULT_FILE = 'result.mp4';

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

  async settled(run: RunRow, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'completed') return this.deleteDropped(run.subjectId);
    if (!(await this.tasks.hasStatus(run.subjectId, 'invalid'))) return;
    await this.store.delete(objectKeys.input(run.subjectId));
    await this.store.delete(objectKeys.results(run.subjectId));
  }

  /** Files of versions that are no longer kept. */
  private async deleteDropped(taskId: string): Promise<void> {
    const made: string[] = [];
    for await (const { key } of this.store.list(objectKeys.results(taskId)))
      if (key.endsWith(RESULT_FILE)) made.push(key.slice(0, -RESULT_FILE.length));
    // Read after the list, which has no files of later runs.
    const task = await this.tasks.find(taskId);
    if (!task || !isVideo(task)) return;
    const used = [task.runId, ...versionsOf(task).map(({ runId }) => runId)];
    const kept = new Set(used.flatMap((runId) => (runId ? [objectKeys.run(taskId, runId)] : [])));
    for (const folder of made) if (!kept.has(folder)) await this.store.delete(folder);
  }

  megapixelsOf({ result: { output } }: Outcome & { kind: 'completed' }): number {
    return (output.width * output.height) / 1e6;
  }
}

function completed(task: VideoRow, runId: string, result: EnhancedVideo): Partial<TaskRow> {
  const { previous: _, ...video } = task.video;
  const earlier = versionsOf(task).slice(0, KEPT_VERSIONS - 1);
  return {
    status: task.exportedAt ? 'exported' : 'completed',
    errorCode: null,
    video: { ...video, result: { ...result, runId, number: (earlier[0]?.number ?? 0) + 1 }, earlier },
  };
}
