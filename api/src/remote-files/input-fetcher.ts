import path from 'node:path';
import { type ErrorCode, FileName, inMilliseconds, LIFETIMES, type MediaType } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { parse } from 'content-disposition';
import { AppError } from '../platform/errors/app-error.js';
import { type OutboundAnswer, OutboundHttp } from '../platform/outbound/outbound-http.js';
import {
  type Attempt,
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  RetryLater,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { CallerService } from '../sessions/caller.service.js';
import { dueInputs, RemoteFiles } from '../tasks/remote-files.repository.js';
import { isVideo, type TaskRow, uploadLimitsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { MASK_FETCH_MS, MaskIntake } from '../uploads/mask-intake.js';
import { UploadService } from '../uploads/upload.service.js';
import { putExpiry, UploadIntake } from '../uploads/upload-intake.js';
import { VideoProcessingService } from '../videos/video-processing.service.js';
import { finalCodeOf } from './final-code.js';

/** A quarter of a minute with {@link OUTAGE_BACKOFF}. */
const MAX_FETCHES = 3;
const TOTAL_MS = {
  image: inMilliseconds.seconds(LIFETIMES.remotePicture),
  video: inMilliseconds.seconds(LIFETIMES.remoteVideo),
} as const;
/** To store and inspect the file. */
const MARGIN_MS = inMilliseconds.seconds(30);
const BUSY_RETRY_MS = inMilliseconds.seconds(10);
const BUSY_CODES: readonly ErrorCode[] = ['queue.full', 'videos.unavailable'];

/** Fetches files by address into the store, through the checks of an upload, and starts their processing. */
@Injectable()
@SchedulesWork()
export class InputFetcher implements WorkSource {
  // The lease of a process that was killed is that of its kind.
  readonly scheduledWork: readonly DueWork[] = [this.work('image', 12), this.work('video', 2)];

  constructor(
    private readonly remote: RemoteFiles,
    private readonly tasks: TasksRepository,
    private readonly outbound: OutboundHttp,
    private readonly intake: UploadIntake,
    private readonly masks: MaskIntake,
    private readonly uploads: UploadService,
    private readonly videos: VideoProcessingService,
    private readonly callers: CallerService,
  ) {}

  private work(mediaType: MediaType, concurrency: number): DueWork {
    return {
      kind: `remote_files.fetch_${mediaType}`,
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: MASK_FETCH_MS + TOTAL_MS[mediaType] + MARGIN_MS,
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      concurrency,
      due: () => dueInputs(mediaType),
      run: (taskId, attempt) => this.run(taskId, attempt),
    };
  }

  private async run(taskId: string, attempt: Attempt): Promise<RetryLater | undefined> {
    const [task, remote] = await Promise.all([this.tasks.find(taskId), this.remote.findInput(taskId)]);
    if (!task || !remote) return undefined;
    const { inputUrl, maskUrl, keyId, starts } = remote;
    try {
      if (maskUrl !== null && !task.mask) {
        await this.remote.markFetching(taskId, MASK_FETCH_MS + MARGIN_MS);
        await this.masks.fetch(taskId, maskUrl, attempt.signal);
      }
      // Also after a fetch whose file could not be started.
      if (inputUrl !== null && task.sizeBytes === null) await this.receive(task, inputUrl, attempt.signal);
      if (inputUrl !== null || starts) await this.start(task, keyId);
    } catch (error) {
      await this.remote.markFetching(taskId, null);
      if (error instanceof AppError && BUSY_CODES.includes(error.code)) return new RetryLater(BUSY_RETRY_MS);
      await this.refuse(taskId, finalCodeOf(error, attempt, MAX_FETCHES));
    }
    return (await this.remote.endInput(taskId, starts)) ? undefined : new RetryLater(0);
  }

  private async receive(task: TaskRow, address: string, signal: AbortSignal): Promise<void> {
    const totalMs = TOTAL_MS[task.mediaType];
    await this.remote.markFetching(task.id, totalMs + MARGIN_MS);
    const { maxBytes } = uploadLimitsOf(task);
    const answer = await this.outbound.download(address, { signal, limits: { maxBytes, totalMs } });
    try {
      const fileName = task.fileName ?? fileNameOf(address, answer);
      if (fileName !== task.fileName) await this.tasks.nameFile(task.id, fileName);
      const { body, headers } = answer;
      const contentLength = Number(headers['content-length'] ?? Number.NaN);
      await this.intake.receive(
        task.id,
        { body, isComplete: () => body.readableEnded, contentLength },
        { maxBytes, addressExpiresAt: task.uploadExpiresAt ?? putExpiry(new Date()) },
      );
    } finally {
      answer.body.destroy();
    }
  }

  /** @throws AppError as a request by the key; `users.not_authorized` when it has been revoked */
  private async start(task: TaskRow, keyId: string): Promise<void> {
    const kind = task.isTest ? 'test' : 'live';
    const caller = await this.callers.byKey(task.userId, kind, { kind: 'key', keyId, scopes: [], perMinute: null });
    // The account is being erased, with its tasks.
    if (!caller) return;
    if (!isVideo(task)) return this.uploads.startFiles(caller, task.bulkUploadId, [task.id]);
    await this.videos.start(caller, task);
  }

  private async refuse(taskId: string, code: ErrorCode): Promise<void> {
    if (await this.tasks.refuseUpload(taskId, code)) await this.intake.discard(taskId);
  }
}

/** As the host calls the file, or by the last part of its address. */
function fileNameOf(address: string, { headers }: OutboundAnswer): string | null {
  const { 'content-disposition': disposition } = headers;
  for (const name of [() => parse(String(disposition)).parameters.filename, () => lastPartOf(address)]) {
    try {
      const { data } = FileName.safeParse(name());
      if (data) return data;
    } catch {
      // Malformed; another may do.
    }
  }
  return null;
}

const lastPartOf = (address: string): string => decodeURIComponent(path.posix.basename(new URL(address).pathname));
