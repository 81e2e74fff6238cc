import { randomUUID } from 'node:crypto';
import {
  type AiPipeline,
  type Analysis,
  analyzeImage,
  chosenPipeline,
  enhanceImage,
  IMAGE_LIMITS,
  inMilliseconds,
  inSeconds,
  isErrorCode,
  type JobOutcome,
  type JobPayload,
  type JobResult,
  MEASURED_TOOLS,
  megapixels,
  needsNetworks,
  objectKeys,
  parseOutcome,
  pipelineInPlan,
  queueOf,
  resultSizeOf,
  TIME_LIMITS,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { SentPicture } from '../enhance/sent-picture.js';
import { AppError } from '../platform/errors/app-error.js';
import { addDeletions, dueDeletions, finishDeletion, lockDeletion } from '../platform/schedule/pending-deletions.js';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { RUN_PRIORITY, type RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsRepository } from '../runs/runs.repository.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { isPaying, ProcessingSettings } from '../tasks/enhance-request.js';
import { pipeThrough, UploadValidator } from '../uploads/upload-intake.js';

const KIND = 'analysis';
/** Of a picture whose request ended without deleting it: longer than any request waits. */
const ABANDONED_SECONDS = inSeconds.minutes(45);
const RETRY_SECONDS = 30;

/** Levels of 255 that count as 1: the noise of a phone at night, and the steps of JPEG of quality 15. */
const [MOST_NOISE, MOST_BLOCKINESS] = [25, 5];

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** A run whose subject is no row: its picture and outcome are files, and what will delete them is known beforehand. */
@Injectable()
@KindOfRun(analyzeImage)
export class AnalyzeRun implements RunKind<typeof analyzeImage, true> {
  constructor(private readonly settings: ProcessingSettings) {}

  async payload(manager: EntityManager, { id, subjectId }: RunRow): Promise<JobPayload<typeof analyzeImage> | null> {
    if (!(await lockDeletion(manager, KIND, subjectId))) return null;
    const { maxSide, faceDetectorMaxInput } = await this.settings.read();
    const inputKey = objectKeys.input(subjectId);
    return { subjectId, runId: id, inputKey, aiPipeline: MEASURED_TOOLS, maxSide, faceDetectorMaxInput };
  }

  async lock(manager: EntityManager, { subjectId }: RunRow): Promise<true | null> {
    return (await lockDeletion(manager, KIND, subjectId)) || null;
  }

  /** The request reads the outcome from the worker's report. */
  async settle(): Promise<void> {}

  megapixelsOf({ result }: JobOutcome<typeof analyzeImage> & { kind: 'completed' }): number {
    return megapixelsOf(result);
  }
}

const megapixelsOf = ({ input: { width, height } }: JobResult<typeof analyzeImage>): number =>
  (width * height) / megapixels(1);

/** Measures pictures that are stored for the time of their request only. */
@Injectable()
@SchedulesWork()
export class AnalysesService implements WorkSource {
  private readonly logger = new Logger(AnalysesService.name);
  readonly scheduledWork: readonly [DueWork] = [
    {
      kind: 'analyses.abandoned',
      everyMs: inMilliseconds.minutes(1),
      timeoutMs: inMilliseconds.minutes(1),
      maxAttempts: 400,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
      due: () => dueDeletions(KIND, ABANDONED_SECONDS),
      run: (id) => this.delete(id),
    },
  ];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly runs: RunsService,
    private readonly rows: RunsRepository,
    private readonly notifications: RunNotifications,
    private readonly settings: ProcessingSettings,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Nothing of the picture remains, whatever becomes of the request.
   * @param isAbandoned whether the client has disconnected
   * @throws AppError why the file is not accepted; `queue.full` when no worker measures it within a minute
   */
  async analyze(caller: Caller, sent: SentPicture, isAbandoned: () => boolean): Promise<Analysis> {
    const id = randomUUID();
    await addDeletions(this.database.manager, KIND, [id]);
    try {
      await this.receive(id, sent);
      return await this.present(caller, await this.measure(caller, id, isAbandoned));
    } finally {
      await this.delete(id).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'a measured picture is deleted later'),
      );
    }
  }

  private async receive(id: string, sent: SentPicture): Promise<void> {
    const { maxBytes } = IMAGE_LIMITS;
    const validator = new UploadValidator({ mediaType: 'image', maxBytes, sizeBytes: null, sha256: null });
    await pipeThrough(sent, validator, (bytes) => this.store.put(objectKeys.input(id), bytes)).catch(
      (error: unknown) => {
        throw sent.body.destroyed && !sent.isComplete() && !(error instanceof AppError)
          ? new AppError('uploads.incomplete', { cause: error })
          : error;
      },
    );
    await sent.end;
  }

  private async measure(
    { userId, role }: Caller,
    subjectId: string,
    isAbandoned: () => boolean,
  ): Promise<JobResult<typeof analyzeImage>> {
    const id = randomUUID();
    const priority = isPaying(role) ? RUN_PRIORITY.paying : RUN_PRIORITY.free;
    await this.database.transaction(async (manager) => {
      await this.runs.requireCapacity(manager, userId, 1);
      await this.runs.add(manager, analyzeImage, { id, subjectId, userId, priority });
    });
    await this.runs.dispatch(analyzeImage.queue);
    const ended = await this.notifications.waitFor(id, TIME_LIMITS.silence.wait, async () => {
      const run = await this.rows.find(id);
      return run?.finishedAt || isAbandoned() ? run : undefined;
    });
    if (ended?.status !== 'completed') {
      if (!ended?.finishedAt) await this.cancel(id);
      throw failureOf(ended?.errorCode);
    }
    const outcome = parseOutcome(analyzeImage, await this.store.readJson(objectKeys.report(subjectId, id)));
    if (outcome.kind !== 'completed') throw failureOf(null);
    return outcome.result;
  }

  private async cancel(runId: string): Promise<void> {
    await this.database.transaction((manager) => this.runs.cancel(manager, runId));
    await this.runs.stop(runId);
  }

  private async present({ role }: Caller, result: JobResult<typeof analyzeImage>): Promise<Analysis> {
    const {
      input: { width, height, contentType },
      measures,
    } = result;
    const suggestedPipeline = chosenPipeline(pipelineInPlan(role, MEASURED_TOOLS), measures);
    const { maxSide, isUncapped } = await this.settings.read();
    const asked: AiPipeline = isUncapped ? { ...suggestedPipeline, outputSize: 'original' } : suggestedPipeline;
    const queue = queueOf(enhanceImage, needsNetworks(suggestedPipeline) ? 'usual' : 'light');
    const seconds = await this.rows.expectedSeconds(queue, enhanceImage.name, megapixelsOf(result));
    return {
      width,
      height,
      contentType,
      monochrome: measures.light.isMonochrome,
      faded: measures.isFaded,
      damage: measures.damage ? { area: measures.damage.area, kinds: measures.damage.shapes } : null,
      blur: rounded(1 - 1 / measures.softness),
      noise: rounded(Math.min(1, measures.noise / MOST_NOISE)),
      compression: rounded(Math.min(1, measures.blockiness / MOST_BLOCKINESS)),
      light: measures.light.median,
      faces: measures.faces.map(({ box, realPixels: size }) => {
        const inPixels = { x: box.x * width, y: box.y * height, width: box.width * width, height: box.height * height };
        return {
          box: inPixels,
          size,
          sharpness: rounded(Math.min(1, size / Math.max(inPixels.width, inPixels.height))),
        };
      }),
      suggestedPipeline,
      estimate: { ...resultSizeOf({ width, height }, asked, maxSide), seconds },
    };
  }

  private async delete(id: string): Promise<void> {
    await this.store.delete(objectKeys.input(id));
    await this.store.delete(objectKeys.results(id));
    await this.database.transaction(async (manager) => {
      await this.runs.deleteRuns(manager, [id]);
      await finishDeletion(manager, KIND, id);
    });
  }
}

function failureOf(errorCode: string | null | undefined): AppError {
  return errorCode && isErrorCode(errorCode)
    ? new AppError(errorCode)
    : new AppError('queue.full', { retryAfterSeconds: RETRY_SECONDS });
}
