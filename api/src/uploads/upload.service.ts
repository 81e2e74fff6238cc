import { randomUUID } from 'node:crypto';
import {
  type BulkUpload,
  type BulkUploadCreated,
  canTransition,
  enhanceImage,
  IMAGE_LIMITS,
  type ImageInput,
  type InvalidCode,
  inMilliseconds,
  isFinal,
  isRunning,
  LIFETIMES,
  objectKeys,
  type UploadTarget,
} from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import PQueue from 'p-queue';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { DownloadFiles } from '../tasks/download-files.repository.js';
import { ORIGINAL_DISPLAY } from '../tasks/download-spec.js';
import {
  acceptRequest,
  checkFileCount,
  downloadSpecFor,
  enhanceRunOf,
  ProcessingSettings,
  runSettings,
} from '../tasks/enhance-request.js';
import { type RemoteAddresses, RemoteFiles } from '../tasks/remote-files.repository.js';
import { type BulkUploadRow, type TaskRow, uploadLimitsOf } from '../tasks/task.entity.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { KeyUsage } from '../usage/key-usage.js';
import { WebhookCallbacks } from '../webhook-endpoints/webhook-callbacks.js';
import { ResumableUploads } from './resumable-uploads.js';
import {
  type Inspection,
  putExpiry,
  RESUMABLE_LIFETIME_MS,
  resumableExpiryOf,
  UPLOAD_URL_LIFETIME_SECONDS,
  UploadIntake,
} from './upload-intake.js';

/** A store that is another host takes longer to answer than a file takes to be read. */
const INSPECTIONS_AT_ONCE = 8;

@Injectable()
export class UploadService {
  /** Keyed by upload: between a request's inspection and its start, no other request may claim a replaced file. */
  private readonly processing = new KeyedMutex();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly intake: UploadIntake,
    private readonly resumable: ResumableUploads,
    private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly downloads: DownloadFiles,
    private readonly presenter: TaskPresenter,
    private readonly settings: ProcessingSettings,
    private readonly sessions: SessionService,
    private readonly usage: KeyUsage,
    private readonly callbacks: WebhookCallbacks,
    private readonly remote: RemoteFiles,
  ) {}

  /**
   * @param isHeld see {@link RemoteFiles.insert}
   * @throws AppError `plugin_keys.required` for addresses of files elsewhere
   */
  async create(
    caller: Caller,
    inputs: readonly ImageInput[],
    callbackUrl?: string,
    isHeld = false,
  ): Promise<BulkUploadCreated> {
    checkFileCount(caller, inputs.length);
    await this.callbacks.check(caller, callbackUrl);
    const bulk: BulkUploadRow = {
      id: randomUUID(),
      userId: caller.userId,
      createdAt: new Date(),
      callbackUrl: callbackUrl ?? null,
    };
    const settings = await this.settings.read();
    const rows = inputs.map((input, position) => newTask(caller, bulk, settings, input, position));
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await this.callbacks.register(manager, bulk);
      await this.tasks.insertUpload(manager, bulk);
      await this.insert(manager, caller, rows, inputs, isHeld);
    });
    return this.presentCreated(bulk.id, rows);
  }

  /** @throws AppError `bulk_uploads.already_processed` when every task is final */
  async add(caller: Caller, bulkUploadId: string, inputs: readonly ImageInput[]): Promise<BulkUploadCreated> {
    const settings = await this.settings.read();
    const rows = await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      const { bulk, tasks } = await this.tasks.lockUpload(manager, caller, bulkUploadId);
      if (tasks.every(({ status }) => isFinal(status))) throw new AppError('bulk_uploads.already_processed');
      checkFileCount(caller, tasks.length + inputs.length);
      // Deleted tasks leave gaps.
      const next = (tasks.at(-1)?.position ?? -1) + 1;
      const isTest = tasks.some((task) => task.isTest);
      const added = inputs.map((input, index) => ({
        ...newTask(caller, bulk, settings, input, next + index),
        isTest,
      }));
      await this.insert(manager, caller, added, inputs);
      return added;
    });
    return this.presentCreated(bulkUploadId, rows);
  }

  private async insert(
    manager: EntityManager,
    caller: Caller,
    rows: TaskRow[],
    inputs: readonly ImageInput[],
    isHeld?: boolean,
  ): Promise<void> {
    await this.tasks.insert(manager, rows);
    await this.remote.insert(manager, caller, rows, inputs, isHeld);
  }

  /**
   * Unacceptable files become `invalid`; tasks without a file stay open until their address expires, and those whose masks are
   * awaited start by themselves. Rejected without
   * changes when none is acceptable and no other task has been started or is open, or when none of the named tasks has
   * a file.
   * @param taskIds absent: all tasks
   * @throws AppError `tasks.not_found` for an id of another upload; the reason of the first file
   */
  async process(caller: Caller, bulkUploadId: string, taskIds?: readonly string[]): Promise<BulkUpload> {
    await this.startFiles(caller, bulkUploadId, taskIds);
    // Does not check the owner: a concurrent login may have moved the upload to an account.
    return this.presenter.bulkUpload(caller.role, bulkUploadId, taskIds);
  }

  /** As {@link process}, without an answer. */
  async startFiles(caller: Caller, bulkUploadId: string, taskIds?: readonly string[]): Promise<void> {
    await this.processing.runExclusive(bulkUploadId, async () => {
      let isDone = false;
      while (!isDone) isDone = await this.tryProcess(caller, bulkUploadId, taskIds);
    });
    await this.runs.dispatch('images', 'colors', 'large', 'renders');
  }

  /**
   * Inspects before locking: no lock is held while the store responds.
   * @returns false when new files have to be inspected
   */
  private async tryProcess(caller: Caller, bulkUploadId: string, taskIds?: readonly string[]): Promise<boolean> {
    const inspections = await this.inspect(caller, bulkUploadId, taskIds);
    // Before the transaction: it holds a connection, and reading may take another.
    const settings = runSettings(await this.settings.read());
    const rejected: string[] = [];
    const isDone = await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      const { tasks } = await this.tasks.lockUpload(manager, caller, bulkUploadId, taskIds);
      const waiting = tasks.filter(({ status }) => isWaiting(status));
      const found = waiting.flatMap((task) => {
        const inspection = inspections.get(task.id);
        return inspection ? [{ task, inspection }] : [];
      });
      if (found.length < waiting.length) return false;
      const valid = found.filter(({ inspection }) => inspection.ok);
      if (valid.length === 0) await this.requireStart(manager, bulkUploadId, found, taskIds !== undefined);
      const later = await this.remote.startLater(
        manager,
        valid.map(({ task }) => task),
      );
      await this.runs.requireCapacity(manager, caller.userId, valid.length - later.size);
      const started: TaskRow[] = [];
      for (const { task, inspection } of found) {
        if (later.has(task.id)) continue;
        if (inspection.ok) started.push(await this.start(manager, caller, task, inspection, settings));
        else if (!inspection.isMissing) {
          await this.tasks.update(manager, task.id, { status: 'invalid', errorCode: inspection.code });
          rejected.push(task.id);
        }
      }
      await this.usage.accept(manager, caller, started);
      return true;
    });
    for (const taskId of rejected) await this.intake.discard(taskId);
    return isDone;
  }

  /** Nothing can be started: rejects unless another task of the upload is started or open. */
  private async requireStart(
    manager: EntityManager,
    bulkUploadId: string,
    found: readonly Inspected[],
    areNamed: boolean,
  ): Promise<void> {
    const except = found.map(({ task }) => task.id);
    const others = [...(await this.tasks.countByStatus(bulkUploadId, { except, manager })).keys()];
    const refusal = refusalOf(found, { areAlone: others.every(hasEndedUnprocessed), areNamed });
    if (refusal) throw new AppError(refusal);
    if (found.length === 0 && others.every((status) => status === 'cancelled')) throw new AppError('tasks.wrong_state');
  }

  /** Inspects waiting files. Acceptable ones can't be replaced afterwards. */
  private async inspect(
    caller: Caller,
    bulkUploadId: string,
    taskIds: readonly string[] | undefined,
  ): Promise<Map<string, Inspection>> {
    await this.tasks.requireOwnUpload(caller, bulkUploadId);
    const waiting = (await this.tasks.listOfUpload(bulkUploadId, taskIds)).filter(({ status }) => isWaiting(status));
    const queue = new PQueue({ concurrency: INSPECTIONS_AT_ONCE });
    const inspected = waiting.map((task) => async () => [task.id, await this.intake.accept(task)] as const);
    return new Map(await queue.addAll(inspected));
  }

  async get(caller: Caller, bulkUploadId: string): Promise<BulkUpload> {
    await this.tasks.requireOwnUpload(caller, bulkUploadId);
    return this.presenter.bulkUpload(caller.role, bulkUploadId);
  }

  private async start(
    manager: EntityManager,
    caller: Caller,
    task: TaskRow,
    inspection: Inspection & { readonly ok: true },
    processing: NonNullable<TaskRow['processing']>,
  ): Promise<TaskRow> {
    const run: TaskRow = {
      ...task,
      status: 'processing',
      contentType: inspection.contentType,
      sizeBytes: inspection.sizeBytes,
      originalSha256: inspection.sha256,
      runId: randomUUID(),
      rendition: downloadSpecFor(caller.role, task),
      processing,
      errorCode: null,
    };
    await this.tasks.save(manager, run);
    await this.runs.add(manager, enhanceImage, enhanceRunOf(run, caller.role, inspection.megapixels));
    await this.downloads.ensureOriginal(manager, run, ORIGINAL_DISPLAY);
    return run;
  }

  /** @throws AppError `tasks.not_found`, `uploads.closed` */
  async renew(caller: Caller, taskId: string): Promise<UploadTarget> {
    await this.tasks.requireOwn(caller, taskId);
    const isOpen = await this.tasks.reopenUpload(taskId, putExpiry(new Date()));
    const row = await this.tasks.findOwn(caller, taskId);
    if (!row || !isOpen) throw new AppError('uploads.closed');
    return this.targetOf(row);
  }

  /** Where the file is to be sent. S3 rejects one that differs from what the client declared. */
  async targetOf(row: TaskRow): Promise<UploadTarget> {
    const { id: taskId, status, contentType, declaredSizeBytes: sizeBytes, sha256 } = row;
    const { maxBytes } = uploadLimitsOf(row);
    const grant = { key: objectKeys.upload(taskId), contentType, maxBytes, sizeBytes, sha256 };
    const { url, headers } = await this.store.signUpload({ ...grant, expiresInSeconds: UPLOAD_URL_LIFETIME_SECONDS });
    return {
      taskId,
      status,
      uploadUrl: url,
      uploadHeaders: { ...headers },
      resumableUrl: this.resumable.addressOf(row),
    };
  }

  private async presentCreated(bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUploadCreated> {
    const taskList = await Promise.all(rows.map((row) => this.targetOf(row)));
    return { bulkUploadId, status: 'started', taskList };
  }
}

const isWaiting = (status: TaskRow['status']): boolean => !isRunning(status) && canTransition(status, 'processing');

/** Includes tasks cancelled while they were processed, whose files are gone. */
const hasEndedUnprocessed = (status: TaskRow['status']): boolean => status === 'invalid' || status === 'cancelled';

interface Considered {
  /** Every other task of the upload has ended without a result. */
  readonly areAlone: boolean;
  readonly areNamed: boolean;
}

interface Inspected {
  readonly task: TaskRow;
  readonly inspection: Inspection;
}

/** The reason of the first file when `process` would start nothing and is rejected for it. */
function refusalOf(found: readonly Inspected[], { areAlone, areNamed }: Considered): InvalidCode | null {
  const [first] = found;
  if (!first || first.inspection.ok || found.some(({ inspection }) => inspection.ok)) return null;
  const areMissing = found.every(({ inspection }) => !inspection.ok && inspection.isMissing);
  return areAlone || (areNamed && areMissing) ? first.inspection.code : null;
}

function newTask(
  caller: Caller,
  bulk: BulkUploadRow,
  { jpegQuality, ...offered }: Awaited<ReturnType<ProcessingSettings['read']>>,
  input: ImageInput,
  position: number,
): TaskRow {
  if ((input.sizeBytes ?? 0) > IMAGE_LIMITS.maxBytes) throw new AppError('uploads.too_large');
  return newTaskRow(caller, bulk.id, {
    ...acceptRequest(caller, { jpegQuality, ...input }, offered),
    mediaType: 'image',
    video: null,
    position,
    fileName: input.fileName ?? null,
    // The bytes decide.
    contentType: input.imageContentType ?? 'image/jpeg',
    declaredSizeBytes: input.sizeBytes ?? null,
    sha256: input.sha256 ?? null,
    inputUrl: input.inputUrl,
    maskUrl: input.maskUrl,
    outputUploadUrl: input.outputUploadUrl,
  });
}

type Announced = Pick<
  TaskRow,
  | 'aiPipeline'
  | 'contentType'
  | 'declaredSizeBytes'
  | 'fileName'
  | 'jpegQuality'
  | 'keepLocation'
  | 'mediaType'
  | 'outputContentType'
  | 'position'
  | 'sha256'
  | 'video'
>;

export function newTaskRow(
  caller: Caller,
  bulkUploadId: string,
  { inputUrl, maskUrl: _, outputUploadUrl, ...announced }: Announced & RemoteAddresses,
): TaskRow {
  const now = new Date();
  const { declaredSizeBytes } = announced;
  const expiry = inputUrl ? new Date(now.getTime() + RESUMABLE_LIFETIME_MS) : putExpiry(now);
  const retentionMs = inMilliseconds.seconds(caller.isGuest ? LIFETIMES.guestMedia : LIFETIMES.accountMedia);
  return {
    ...announced,
    id: randomUUID(),
    bulkUploadId,
    userId: caller.userId,
    status: 'started',
    originalSha256: null,
    sizeBytes: null,
    uploadExpiresAt: resumableExpiryOf({ declaredSizeBytes, createdAt: now }) ?? expiry,
    runId: null,
    rendition: null,
    processing: null,
    outputs: [],
    looks: null,
    mask: null,
    outputUpload: outputUploadUrl ? { status: 'waiting', errorCode: null } : null,
    errorCode: null,
    isTest: caller.isTest ?? false,
    exportedAt: null,
    exportFormat: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + retentionMs),
  };
}
