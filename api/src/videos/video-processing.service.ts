import { randomUUID } from 'node:crypto';
import {
  canTransition,
  hasResult,
  inMilliseconds,
  isErrorCode,
  isRunning,
  probeVideo,
  type VideoPipeline,
  type VideoTask,
  videoLimitsOf,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { RUN_PRIORITY } from '../runs/run.entity.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { type TaskRow, type VideoRow, wrongState } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { UploadIntake } from '../uploads/upload-intake.js';
import { KeyUsage } from '../usage/key-usage.js';
import { VideoTaskPresenter } from './video-task.presenter.js';
import { findOwnVideo, requireTools, requireVideo, requireVideoWorkers } from './videos.service.js';

/** Reading a video takes a second or two. */
const PROBE_WAIT_MS = inMilliseconds.seconds(15);

type KnownFile = Pick<TaskRow, 'contentType' | 'sizeBytes' | 'originalSha256'>;

@Injectable()
export class VideoProcessingService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly intake: UploadIntake,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
    private readonly presenter: VideoTaskPresenter,
    private readonly usage: KeyUsage,
  ) {}

  /**
   * Starts a video that waits for it or has failed, and waits until its file has been read.
   * @throws AppError why the video is not enhanced; `tasks.wrong_state` when it is cancelled
   */
  async process(caller: Caller, id: string): Promise<VideoTask> {
    const known = await findOwnVideo(this.tasks, caller, id);
    if (canStart(known)) await this.start(caller, known);
    const row = await this.awaitProbe(caller, id);
    if (row.status === 'invalid') throw reasonOf(row);
    if (row.status === 'cancelled') throw wrongState(row);
    return this.presenter.present(row);
  }

  /**
   * Enhances a finished video again. Its allowance has been used, and its result stays until the next one is complete.
   * @throws AppError `videos.not_in_plan`, `pipeline.not_in_plan`, `tasks.wrong_state`, `videos.unavailable`, `queue.full`
   */
  async reprocess(caller: Caller, id: string, aiPipeline: VideoPipeline): Promise<VideoTask> {
    if (!videoLimitsOf(caller.role)) throw new AppError('videos.not_in_plan');
    requireTools(caller.role, aiPipeline);
    const known = await findOwnVideo(this.tasks, caller, id);
    await requireVideoWorkers(this.runs);
    await this.database.transaction((manager) => this.addProbe(manager, caller, id, known, aiPipeline));
    await this.runs.dispatch('renders');
    return this.presenter.present(await this.awaitProbe(caller, id));
  }

  /** @throws AppError why it is not started */
  async start(caller: Caller, known: VideoRow): Promise<void> {
    if (!videoLimitsOf(caller.role)) throw new AppError('videos.not_in_plan');
    const file = await this.acceptedFile(known);
    await this.database.transaction((manager) => this.addProbe(manager, caller, known.id, file));
    await this.runs.dispatch('renders');
  }

  /** The uploaded file, out of reach of its address; that of a failed video is there already. */
  private async acceptedFile(row: VideoRow): Promise<KnownFile> {
    if (row.status === 'failed') return row;
    const inspection = await this.intake.accept(row);
    // Not final: another file may be sent until the address expires.
    if (!inspection.ok) throw new AppError(inspection.code);
    const { contentType, sizeBytes, sha256: originalSha256 } = inspection;
    return { contentType, sizeBytes, originalSha256 };
  }

  private async addProbe(
    manager: EntityManager,
    caller: Caller,
    id: string,
    file: KnownFile,
    aiPipeline?: VideoPipeline,
  ): Promise<void> {
    await lockUsers(manager, caller.userId);
    const row = requireVideo(await this.tasks.lockOwn(manager, caller, id));
    if (aiPipeline && (!hasResult(row.status) || !row.video.result)) throw wrongState(row);
    // Another request has started it.
    if (!aiPipeline && !canStart(row)) return;
    await this.runs.requireCapacity(manager, caller.userId, 1);
    await this.runs.requireDownloadCapacity(manager, caller.userId);
    const runId = randomUUID();
    const { contentType, sizeBytes, originalSha256 } = file;
    await this.tasks.update(manager, id, {
      status: aiPipeline || row.status === 'failed' ? 'reprocessing' : 'processing',
      contentType,
      sizeBytes,
      originalSha256,
      runId,
      video: { ...row.video, probe: null, limit: null, ...(aiPipeline && { previous: previousOf(row) }) },
      ...(aiPipeline && { aiPipeline }),
      errorCode: null,
    });
    await this.usage.accept(manager, caller, [{ ...row, runId }]);
    await this.runs.add(manager, probeVideo, {
      id: runId,
      subjectId: id,
      userId: caller.userId,
      priority: RUN_PRIORITY.paying,
    });
  }

  private async awaitProbe(caller: Caller, id: string): Promise<VideoRow> {
    const row = await findOwnVideo(this.tasks, caller, id);
    const { runId } = row;
    if (!runId || !isBeingRead(row)) return row;
    const read = await this.notifications.waitFor(runId, PROBE_WAIT_MS, async () => {
      const current = await findOwnVideo(this.tasks, caller, id);
      return isBeingRead(current) && current.runId === runId ? undefined : current;
    });
    return read ?? row;
  }
}

const previousOf = ({ aiPipeline, video: { probe } }: VideoRow) => ({ aiPipeline, probe });

const canStart = ({ status }: TaskRow): boolean =>
  status === 'failed' || (!isRunning(status) && canTransition(status, 'processing'));

const isBeingRead = ({ status, video }: VideoRow): boolean => isRunning(status) && video.probe === null;

function reasonOf({ errorCode, video }: VideoRow): AppError {
  if (!errorCode || !isErrorCode(errorCode)) return wrongState({ status: 'invalid' });
  return new AppError(errorCode, video.limit ? { details: { ...video.limit } } : {});
}
