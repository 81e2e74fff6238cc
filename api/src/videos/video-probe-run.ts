import { randomUUID } from 'node:crypto';
import {
  enhanceVideo,
  isRunning,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  type ProbedVideo,
  probeVideo,
  ReachedVideoLimit,
  type Role,
  VIDEO_CAPS,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RUN_PRIORITY, type RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunsService } from '../runs/runs.service.js';
import { Entitlements, resolveRole } from '../sessions/entitlements.js';
import { revertReprocessing } from '../tasks/enhance-run.js';
import { isVideo, type TaskRow, type VideoRow } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { videoPipelineOf } from '../tasks/video-presenter.js';
import { UserRepository } from '../users/user.repository.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';
import { changeOf } from './video-outcomes.js';

type Outcome = JobOutcome<typeof probeVideo>;

@Injectable()
@KindOfRun(probeVideo)
export class VideoProbeRun implements RunKind<typeof probeVideo, VideoRow> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly allowances: VideoAllowances,
    private readonly users: UserRepository,
    private readonly entitlements: Entitlements,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
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

  async settle(manager: EntityManager, _run: RunRow, task: VideoRow, outcome: Outcome): Promise<void> {
    const change =
      outcome.kind === 'completed' ? await this.order(manager, task, outcome.result) : changeOf(task, outcome);
    await this.tasks.update(manager, task.id, change);
  }

  async settled(run: RunRow): Promise<void> {
    if (await this.tasks.hasStatus(run.subjectId, 'invalid')) {
      await this.store.delete(objectKeys.input(run.subjectId));
      await this.store.delete(objectKeys.results(run.subjectId));
    }
    await this.runs.dispatch('videos');
  }

  private async order(manager: EntityManager, task: VideoRow, probe: ProbedVideo): Promise<Partial<TaskRow>> {
    const owner = { userId: task.userId, role: await this.roleOf(manager, task.userId) };
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

  /** Current role: the plan may have changed since the upload. */
  private async roleOf(manager: EntityManager, userId: string): Promise<Role> {
    const user = await this.users.find(userId, manager);
    if (!user) throw new Error(`user ${userId} of a video is gone`);
    return resolveRole(user, await this.entitlements.entitlementsOf(userId, manager));
  }
}
