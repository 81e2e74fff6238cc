import { randomUUID } from 'node:crypto';
import {
  type EnhancedVideo,
  enhanceVideo,
  isRunning,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  type ProbedVideo,
  probeVideo,
  ReachedVideoLimit,
  toolsOf,
  VIDEO_CAPS,
  VIDEO_MAX_SIDE,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RUN_PRIORITY, type RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunsService } from '../runs/runs.service.js';
import { revertReprocessing } from '../tasks/enhance-run.js';
import { SharingsRepository } from '../tasks/sharings.repository.js';
import { isVideo, type TaskRow, type VideoRow, versionsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { videoPipelineOf } from '../tasks/video-presenter.js';
import { KeyUsage } from '../usage/key-usage.js';
import { UserRoles } from '../users/user-roles.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';

type EnhanceOutcome = JobOutcome<typeof enhanceVideo>;
type ProbeOutcome = JobOutcome<typeof probeVideo>;

function changeOf(
  task: VideoRow,
  outcome: Exclude<EnhanceOutcome | ProbeOutcome, { kind: 'completed' }>,
): Partial<TaskRow> {
  const kept = revertReprocessing(task);
  if (kept) return { ...kept, errorCode: outcome.kind === 'cancelled' ? null : failureCodeOf(outcome) };
  switch (outcome.kind) {
    case 'invalid':
      return { status: 'invalid', errorCode: outcome.errorCode };
    case 'failed':
      return { status: 'failed', errorCode: failureCodeOf(outcome) };
    case 'cancelled':
      return { status: 'cancelled', errorCode: null };
  }
}

/** A full disk is no fault of the video: it says when to try again. */
const failureCodeOf = (outcome: EnhanceOutcome | ProbeOutcome): 'tasks.disk_full' | 'videos.failed' =>
  outcome.kind === 'failed' && outcome.errorCode === 'tasks.disk_full' ? outcome.errorCode : 'videos.failed';

/** Results of one video, whose files may have a hundred megabytes each. */
const KEPT_VERSIONS = 5;
const RESULT_FILE = 'result.mp4';

@Injectable()
@KindOfRun(enhanceVideo)
export class VideoEnhanceRun implements RunKind<typeof enhanceVideo, VideoRow> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly allowances: VideoAllowances,
    private readonly store: ObjectStore,
    private readonly sharings: SharingsRepository,
    private readonly usage: KeyUsage,
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

  async settle(manager: EntityManager, run: RunRow, task: VideoRow, outcome: EnhanceOutcome): Promise<void> {
    if (outcome.kind === 'completed') {
      await this.allowances.commit(manager, task.id);
      await this.tasks.update(manager, task.id, completed(task, run.id, outcome.result));
      await this.sharings.markPreviewDue(manager, [task.id]);
    } else {
      await this.allowances.release(manager, task.id);
      await this.tasks.update(manager, task.id, changeOf(task, outcome));
    }
    await this.usage.settle(manager, run.id, outcome.kind, { tools: toolsOf(videoPipelineOf(task)) });
  }

  async settled(run: RunRow, outcome: EnhanceOutcome): Promise<void> {
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

  megapixelsOf({ result: { output } }: EnhanceOutcome & { kind: 'completed' }): number {
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

@Injectable()
@KindOfRun(probeVideo)
export class VideoProbeRun implements RunKind<typeof probeVideo, VideoRow> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly allowances: VideoAllowances,
    private readonly roles: UserRoles,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
    private readonly usage: KeyUsage,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof probeVideo> | null> {
    const task = await this.tasks.find(run.subjectId, manager);
    if (!task || !isVideo(task) || task.runId !== run.id || !isRunning(task.status)) return null;
    return {
      subjectId: task.id,
      runId: run.id,
      inputKey: objectKeys.input(task.id),
      aiPipeline: videoPipelineOf(task),
    };
  }

  async lock(manager: EntityManager, run: RunRow): Promise<VideoRow | null> {
    const task = await this.tasks.lockWithOwner(manager, run.subjectId);
    return task && isVideo(task) && task.runId === run.id && isRunning(task.status) ? task : null;
  }

  async settle(manager: EntityManager, run: RunRow, task: VideoRow, outcome: ProbeOutcome): Promise<void> {
    const change =
      outcome.kind === 'completed' ? await this.start(manager, task, outcome.result) : changeOf(task, outcome);
    await this.tasks.update(manager, task.id, change);
    if (change.runId) await this.usage.continueAs(manager, run.id, change.runId);
    else
      await this.usage.settle(manager, run.id, outcome.kind === 'completed' ? 'invalid' : outcome.kind, { tools: [] });
  }

  async settled(run: RunRow): Promise<void> {
    if (await this.tasks.hasStatus(run.subjectId, 'invalid')) {
      await this.store.delete(objectKeys.input(run.subjectId));
      await this.store.delete(objectKeys.results(run.subjectId));
    }
    await this.runs.dispatch('videos');
  }

  private async start(manager: EntityManager, task: VideoRow, probe: ProbedVideo): Promise<Partial<TaskRow>> {
    // The plan may have changed since the upload.
    const role = await this.roles.roleOf(task.userId, manager);
    if (!role) throw new Error(`user ${task.userId} of a video is gone`);
    const owner = { userId: task.userId, role };
    const file = { taskId: task.id, sizeBytes: probe.sizeBytes, seconds: probe.duration };
    try {
      await this.allowances.reserve(manager, owner, file, task.video.limits);
      if (probe.frameCount > VIDEO_CAPS.maxFrames) {
        await this.allowances.release(manager, task.id);
        throw new AppError('uploads.too_large');
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const kept = revertReprocessing(task);
      if (kept) return { ...kept, errorCode: error.code };
      const limit = ReachedVideoLimit.safeParse(error.options.details).data ?? null;
      return { status: 'invalid', errorCode: error.code, video: { ...task.video, limit } };
    }
    const runId = randomUUID();
    await this.runs.add(manager, enhanceVideo, {
      id: runId,
      subjectId: task.id,
      userId: task.userId,
      priority: RUN_PRIORITY.paying,
      estimatedSeconds: probe.plan.estimatedSeconds,
    });
    return { runId, video: { ...task.video, probe } };
  }
}
