import { createHash } from 'node:crypto';
import {
  type EnhancementHeaders,
  type EnhanceOptions,
  FileName,
  IMAGE_LIMITS,
  type ImageInput,
  inMilliseconds,
  isErrorCode,
  isFinal,
  isImageContentType,
  isRunning,
  isUntouched,
  snakeCase,
} from '@clearframe/contract';
import { contentDispositionOf, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { IdempotencyService } from '../platform/http/idempotency.service.js';
import type { Wait } from '../platform/http/preferred-wait.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsRepository } from '../runs/runs.repository.js';
import { type Caller, type UploadToken, uploadTokenOf } from '../sessions/caller.js';
import { RemoteFiles } from '../tasks/remote-files.repository.js';
import { hasFinishedFile, newestResultOf, type TaskRow, wrongState } from '../tasks/task.entity.js';
import { type ResultFile, TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { TasksService } from '../tasks/tasks.service.js';
import { UploadTokensService } from '../upload-tokens/upload-tokens.service.js';
import { MaskIntake } from '../uploads/mask-intake.js';
import { UploadService } from '../uploads/upload.service.js';
import { putExpiry, UploadIntake } from '../uploads/upload-intake.js';
import type { SentPicture, SentRequest } from './sent-picture.js';

export interface StartedTask {
  readonly taskId: string;
  /** An earlier request had the same idempotency key. */
  readonly isRepeated: boolean;
}

interface FinishedPicture {
  readonly file: StreamableFile;
  readonly headers: Readonly<Record<string, string>>;
}

type SentFiles = Pick<SentRequest, 'picture' | 'mask'>;

/** A task whose picture takes longer is answered while it is fetched. */
const FETCH_WAIT_MS = inMilliseconds.seconds(20);

@Injectable()
export class EnhanceService {
  private readonly logger = new Logger(EnhanceService.name);

  constructor(
    private readonly uploads: UploadService,
    private readonly intake: UploadIntake,
    private readonly masks: MaskIntake,
    private readonly tasks: TasksRepository,
    private readonly lifecycle: TasksService,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
    private readonly runs: RunsRepository,
    private readonly notifications: RunNotifications,
    private readonly idempotency: IdempotencyService,
    private readonly outbound: OutboundHttp,
    private readonly tokens: UploadTokensService,
    private readonly remote: RemoteFiles,
  ) {}

  /**
   * Stores the picture as it arrives and starts processing it. Nothing remains of a picture that is not accepted.
   * @param files without a picture that is at `inputUrl`; it is fetched after the answer if its host is slow
   * @param key of idempotency: a retry with the same options and bytes starts nothing
   * @throws AppError as the routes of an upload; `uploads.empty` without a picture, `uploads.address_refused`,
   *   `uploads.address_unreachable`; `idempotency.key_reused`, `idempotency.in_progress`
   */
  async start(
    caller: Caller,
    files: SentFiles,
    requested: EnhanceOptions,
    key: string | undefined,
  ): Promise<StartedTask> {
    const token = uploadTokenOf(caller);
    const options = token ? withFixed(token, requested) : requested;
    requireOnePicture(files, options);
    const accept = () => this.tokens.use(caller, () => this.accept(caller, files, options));
    if (key === undefined) return { taskId: await accept(), isRepeated: false };
    // Pages choose keys: those of one token repeat no request of another.
    const ownKey = token ? `${token.id} ${key}` : key;
    const request = { scope: caller.userId, key: ownKey, fingerprint: fingerprintOf(files, options) };
    const { response, isRepeated } = await this.idempotency.execute(request, async () => ({
      status: 202,
      body: await accept(),
    }));
    const taskId = String(response.body);
    if (isRepeated && files.picture) await this.requireSameBytes(caller, files.picture, taskId);
    return { taskId, isRepeated };
  }

  /**
   * The result, when the task ends in time. Null when it does not.
   * @throws AppError the reason when the task has failed; `tasks.not_found`, `tasks.wrong_state` when it was deleted or
   *   cancelled meanwhile
   */
  async result(caller: Caller, taskId: string, wait: Wait): Promise<FinishedPicture | null> {
    const task = await this.lifecycle.waitUntilFinal(caller, taskId, wait);
    if (!isFinal(task.status)) return null;
    if (!hasFinishedFile(task)) throw failureOf(task);
    const [file] = await this.presenter.filesOf(caller.role, { id: taskId });
    if (!file) throw failureOf(task);
    // After a change of plan during the run, the file is to come.
    if (file.key === null) return null;
    return { file: await this.open(file.key, file.name, task.outputContentType), headers: await this.headersOf(file) };
  }

  private async open(key: string, name: string, type: string): Promise<StreamableFile> {
    const length = (await this.store.sizeOf(key)) ?? undefined;
    const disposition = contentDispositionOf('attachment', name);
    return new StreamableFile(await this.store.read(key), { type, length, disposition });
  }

  private async headersOf({ task, size }: ResultFile): Promise<Record<string, string>> {
    const output = newestResultOf(task);
    const run = output && (await this.runs.find(output.runId));
    if (!output || !run?.finishedAt || !size) throw new Error(`task ${task.id} is finished without a run`);
    const { faces, recipe } = output.image;
    // Of a face that kept its original it is that of another.
    const similarities = faces.flatMap((face) => (face.keptOriginal ? [] : (face.identitySimilarity ?? [])));
    const workedMs = run.finishedAt.getTime() - (run.startedAt ?? run.dispatchedAt ?? run.createdAt).getTime();
    const headers: EnhancementHeaders = {
      'X-Clearframe-Task-Id': task.id,
      'X-Clearframe-Width': size.width,
      'X-Clearframe-Height': size.height,
      'X-Clearframe-Seconds': Number((Math.max(0, workedMs) / 1000).toFixed(1)),
      'X-Clearframe-Faces': faces.length,
      ...(similarities.length > 0 && { 'X-Clearframe-Least-Similarity': Math.min(...similarities) }),
      'X-Clearframe-Changed': !isUntouched(recipe),
    };
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }

  private async accept(caller: Caller, { picture, mask }: SentFiles, options: EnhanceOptions): Promise<string> {
    const { inputUrl, maskUrl, outputUploadUrl, callbackUrl } = options;
    for (const address of [inputUrl, maskUrl, outputUploadUrl]) if (address) await this.outbound.check(address);
    const inputs = [inputOf(picture, options)];
    // The picture is fetched once its mask is stored.
    const isHeld = mask !== null;
    const { bulkUploadId, taskList } = await this.uploads.create(caller, inputs, callbackUrl, isHeld);
    const [target] = taskList;
    if (!target) throw new Error(`upload ${bulkUploadId} has no task`);
    try {
      const { taskId } = target;
      if (mask) await this.masks.receive(taskId, mask);
      else if (picture && maskUrl) await this.masks.fetch(taskId, maskUrl);
      if (picture) await this.receive(caller, bulkUploadId, taskId, picture);
      else {
        if (mask) await this.remote.release(taskId);
        await this.awaitFetch(caller, taskId);
      }
    } catch (error) {
      await this.lifecycle.delete(caller, [target.taskId]).catch((cause: unknown) => {
        // Deleted with expired tasks.
        this.logger.warn({ err: cause }, 'a picture that was not accepted could not be deleted');
      });
      throw error;
    }
    return target.taskId;
  }

  private async receive(caller: Caller, bulkUploadId: string, taskId: string, sent: SentPicture): Promise<void> {
    const { maxBytes } = IMAGE_LIMITS;
    await this.intake.receive(taskId, sent, { maxBytes, addressExpiresAt: putExpiry(new Date()) });
    await sent.end;
    await this.uploads.startFiles(caller, bulkUploadId);
  }

  /** @throws AppError why the file at an address is not accepted, if that is known soon */
  private async awaitFetch(caller: Caller, taskId: string): Promise<void> {
    const task = await this.notifications.waitFor(taskId, FETCH_WAIT_MS, async () => {
      const row = await this.tasks.requireOwn(caller, taskId);
      return isRunning(row.status) || isFinal(row.status) ? row : undefined;
    });
    if (task?.status === 'invalid') throw failureOf(task);
  }

  /** @throws AppError `idempotency.key_reused` for other bytes */
  private async requireSameBytes(caller: Caller, sent: SentPicture, taskId: string): Promise<void> {
    const { originalSha256 } = await this.tasks.requireOwn(caller, taskId);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of sent.body) {
      sizeBytes += chunk.length;
      if (sizeBytes <= IMAGE_LIMITS.maxBytes) hash.update(chunk);
    }
    await sent.end;
    if (hash.digest('hex') !== originalSha256) throw new AppError('idempotency.key_reused');
  }
}

/** @throws AppError `uploads.empty` without one, `request.invalid` with two, or with two masks */
function requireOnePicture({ picture, mask }: SentFiles, { inputUrl, maskUrl }: EnhanceOptions): void {
  if (!picture && inputUrl === undefined) throw new AppError('uploads.empty');
  if (picture && inputUrl !== undefined) {
    throw new AppError('request.invalid', {
      description: 'Send either the picture or its address.',
      details: { input_url: 'Not together with a file' },
    });
  }
  if (mask && maskUrl !== undefined) {
    throw new AppError('request.invalid', {
      description: 'Send either the mask or its address.',
      details: { mask_url: 'Not together with a file' },
    });
  }
}

/**
 * A page may choose what its token leaves open, and never addresses: events and results would go wherever the page says.
 * @throws AppError `request.invalid` for another choice
 */
function withFixed({ aiPipeline, outputContentType }: UploadToken, options: EnhanceOptions): EnhanceOptions {
  const chosen = [
    ...(['inputUrl', 'maskUrl', 'outputUploadUrl', 'callbackUrl'] as const),
    ...(aiPipeline ? (['pipeline', 'aiPipeline'] as const) : []),
    ...(outputContentType ? (['format', 'outputContentType'] as const) : []),
  ].filter((name) => options[name] !== undefined);
  if (chosen.length > 0) {
    const details = Object.fromEntries(chosen.map((name) => [snakeCase(name), 'Not with this upload token']));
    throw new AppError('request.invalid', { description: 'The upload token does not allow this choice.', details });
  }
  return {
    ...options,
    ...(aiPipeline && { pipeline: aiPipeline }),
    ...(outputContentType && { format: outputContentType }),
  };
}

function inputOf(sent: SentPicture | null, options: EnhanceOptions): ImageInput {
  const { pipeline, format, aiPipeline = pipeline, outputContentType = format, callbackUrl: _, ...others } = options;
  const [declared = ''] = (sent?.contentType ?? '').split(';');
  const fileName = others.fileName ?? FileName.safeParse(sent?.fileName).data;
  // The bytes decide.
  const imageContentType = isImageContentType(declared) ? declared : 'image/jpeg';
  // That of a sent picture is fetched by the request.
  const maskUrl = sent ? undefined : others.maskUrl;
  return { ...others, maskUrl, imageContentType, aiPipeline, outputContentType, fileName };
}

const fingerprintOf = ({ mask }: SentFiles, options: EnhanceOptions): string =>
  createHash('sha256')
    .update(
      `enhance\n${mask ? `${mask.sha256}\n` : ''}${JSON.stringify(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)))}`,
    )
    .digest('hex');

function failureOf({ status, errorCode }: TaskRow): AppError {
  if (errorCode && isErrorCode(errorCode)) return new AppError(errorCode);
  return status === 'failed' ? new AppError('tasks.failed') : wrongState({ status });
}
