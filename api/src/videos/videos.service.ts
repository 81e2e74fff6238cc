import { randomUUID } from 'node:crypto';
import {
  type AiPipeline,
  type CreateVideoTask,
  DEFAULT_JPEG_QUALITY,
  DEFAULT_PIPELINE,
  lockedTool,
  maxBytesOf,
  type Role,
  snakeCase,
  type VideoLimits,
  type VideoTask,
  type VideoTaskCreated,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Wait } from '../platform/http/preferred-wait.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { RemoteFiles } from '../tasks/remote-files.repository.js';
import { isVideo, type TaskRow, type VideoRow } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { TasksService } from '../tasks/tasks.service.js';
import { newTaskRow, UploadService } from '../uploads/upload.service.js';
import { VideoAllowances } from '../video-allowances/video-allowances.js';
import { WebhookCallbacks } from '../webhook-endpoints/webhook-callbacks.js';
import { VideoTaskPresenter } from './video-task.presenter.js';

const RETRY_SECONDS = 60;

export function requireTools(role: Role, aiPipeline: AiPipeline): void {
  const locked = lockedTool(role, aiPipeline);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
}

/** @throws AppError `videos.unavailable` while workers are connected and none takes videos */
export async function requireVideoWorkers(runs: RunsService): Promise<void> {
  if (await runs.isServed('videos')) return;
  throw new AppError('videos.unavailable', { retryAfterSeconds: RETRY_SECONDS });
}

/** @throws AppError `tasks.not_found`, also for a picture and for another user's video */
export async function findOwnVideo(tasks: TasksRepository, caller: Caller, id: string): Promise<VideoRow> {
  return requireVideo(await tasks.requireOwn(caller, id));
}

/** @throws AppError `tasks.not_found` for a picture */
export function requireVideo(row: TaskRow): VideoRow {
  if (!isVideo(row)) throw new AppError('tasks.not_found');
  return row;
}

@Injectable()
export class VideosService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly lifecycle: TasksService,
    private readonly targets: UploadService,
    private readonly allowances: VideoAllowances,
    private readonly runs: RunsService,
    private readonly sessions: SessionService,
    private readonly presenter: VideoTaskPresenter,
    private readonly callbacks: WebhookCallbacks,
    private readonly remote: RemoteFiles,
  ) {}

  /**
   * Refuses what the client's own reading shows, before any bytes are sent.
   * @throws AppError `videos.not_in_plan`, `videos.limit_reached`, `pipeline.not_in_plan`, `videos.unavailable`,
   *   `plugin_keys.required` for addresses of files elsewhere
   */
  async create(caller: Caller, input: CreateVideoTask): Promise<VideoTaskCreated> {
    const { size: sizeBytes = 0, duration } = input.videoMetadata;
    const limits = await this.allowances.check(caller, { sizeBytes, seconds: duration ?? 0 }, input.eligibilityLimits);
    const row = newVideo(caller, input, limits);
    await requireVideoWorkers(this.runs);
    await this.callbacks.check(caller, input.callbackUrl);
    const { bulkUploadId: id, userId, createdAt } = row;
    const upload = { id, userId, createdAt, callbackUrl: input.callbackUrl ?? null };
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await this.callbacks.register(manager, upload);
      await this.tasks.insertUpload(manager, upload);
      await this.tasks.insert(manager, [row]);
      await this.remote.insert(manager, caller, [row], [input]);
    });
    const { taskId: videoTaskId, ...target } = await this.targets.targetOf(row);
    return { videoTaskId, ...target };
  }

  /** @param wait for its end; null: as it is now */
  async get(caller: Caller, id: string, wait: Wait | null = null): Promise<VideoTask> {
    const video = await findOwnVideo(this.tasks, caller, id);
    return this.presenter.present(wait ? requireVideo(await this.lifecycle.waitUntilFinal(caller, id, wait)) : video);
  }

  async cancel(caller: Caller, id: string): Promise<VideoTask> {
    await findOwnVideo(this.tasks, caller, id);
    await this.lifecycle.cancel(caller, id);
    return this.get(caller, id);
  }
}

function newVideo(caller: Caller, input: CreateVideoTask, limits: VideoLimits): TaskRow {
  // The bytes decide.
  const { videoContentType: contentType = 'video/mp4', eligibilityLimits, videoMetadata } = input;
  const { fileName, size, duration, width, height } = videoMetadata;
  // Saved defaults are those of photos.
  const aiPipeline = input.aiPipeline ?? DEFAULT_PIPELINE;
  requireTools(caller.role, aiPipeline);
  return newTaskRow(caller, randomUUID(), {
    mediaType: 'video',
    video: {
      limits: eligibilityLimits,
      maxBytes: maxBytesOf(limits),
      declared: { duration: duration ?? null, width: width ?? null, height: height ?? null },
      probe: null,
      result: null,
      limit: null,
    },
    aiPipeline,
    position: 0,
    fileName: fileName ?? null,
    contentType,
    declaredSizeBytes: size ?? null,
    sha256: null,
    outputContentType: 'image/jpeg',
    jpegQuality: DEFAULT_JPEG_QUALITY,
    keepLocation: false,
    inputUrl: input.inputUrl,
    outputUploadUrl: input.outputUploadUrl,
  });
}
