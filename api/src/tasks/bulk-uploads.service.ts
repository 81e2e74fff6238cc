import { randomUUID } from 'node:crypto';
import {
  type BulkUpload,
  type BulkUploadCreated,
  type ImageInput,
  INVALID_CODES,
  inMilliseconds,
  isRunning,
  mayFollow,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../identity/caller.js';
import { SessionService } from '../identity/session.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { Outbox } from '../queue/outbox.service.js';
import { type Inspection, UPLOAD_URL_LIFETIME_SECONDS, UploadsService } from '../uploads/uploads.service.js';
import { BulkUploadRow } from './bulk-upload.entity.js';
import { lockBulkUpload } from './bulk-upload-lock.js';
import { ProcessingSettings } from './processing-settings.js';
import { QueueRoom } from './queue-room.js';
import { TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { acceptCount, acceptOrder, renditionFor, runJobOf, runSettings } from './task-order.js';

/** How long media is kept: a day for guests, thirty for accounts (decisions, section 3). */
const KEPT_MS = { guest: inMilliseconds.hours(24), account: inMilliseconds.days(30) } as const;

/** Announcing pictures and starting work on them. */
@Injectable()
export class BulkUploadsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly uploads: UploadsService,
    private readonly outbox: Outbox,
    private readonly presenter: TaskPresenter,
    private readonly room: QueueRoom,
    private readonly settings: ProcessingSettings,
    private readonly sessions: SessionService,
  ) {}

  async create(caller: Caller, inputs: readonly ImageInput[]): Promise<BulkUploadCreated> {
    acceptCount(caller.role, inputs.length);
    const bulk: BulkUploadRow = { id: randomUUID(), userId: caller.userId, createdAt: new Date() };
    const { jpegQuality } = await this.settings.read();
    const rows = inputs.map((input, position) => newTask(caller, bulk, { jpegQuality, ...input }, position));
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await manager.insert(BulkUploadRow, bulk);
      await manager.insert(TaskRow, rows);
    });
    return this.announce(bulk.id, rows);
  }

  async add(caller: Caller, bulkUploadId: string, inputs: readonly ImageInput[]): Promise<BulkUploadCreated> {
    const { jpegQuality } = await this.settings.read();
    const rows = await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      const { bulk, tasks } = await lockBulkUpload(manager, caller, bulkUploadId);
      if (tasks.some(({ status }) => !isWaiting(status))) throw new AppError('bulk_uploads.already_processed');
      acceptCount(caller.role, tasks.length + inputs.length);
      const added = inputs.map((input, index) =>
        newTask(caller, bulk, { jpegQuality, ...input }, tasks.length + index),
      );
      await manager.insert(TaskRow, added);
      return added;
    });
    return this.announce(bulkUploadId, rows);
  }

  /**
   * Starts work on everything that has been uploaded. Files that can't be accepted become `invalid` while the rest run.
   * Tasks without a file stay open until their address expires; asking again starts those uploaded since. Only when
   * nothing has been started and no file can be accepted is the whole refused, and nothing has changed.
   */
  async process(caller: Caller, bulkUploadId: string): Promise<BulkUpload> {
    await this.database.transaction(async (manager) => {
      const { tasks } = await lockBulkUpload(manager, caller, bulkUploadId);
      const waiting = tasks.filter(({ status }) => isWaiting(status));
      if (waiting.length === 0) return;
      await this.room.refuseWhenFull(manager, waiting.length);
      const verdicts = new Map<TaskRow, Inspection>();
      for (const task of waiting) {
        const refusal = INVALID_CODES.find((code) => code === task.errorCode) ?? null;
        verdicts.set(task, await this.uploads.inspect(task.id, task.declaredSizeBytes, refusal));
      }
      const [first] = verdicts.values();
      if (tasks.length === waiting.length && first && !first.ok && [...verdicts.values()].every(({ ok }) => !ok)) {
        throw new AppError(first.code);
      }
      for (const [task, verdict] of verdicts) await this.start(manager, caller, task, verdict);
    });
    await this.outbox.flush();
    // Whose it is was settled above. It may be an account's by now, and the work has started all the same.
    return this.present(bulkUploadId);
  }

  async get(caller: Caller, bulkUploadId: string): Promise<BulkUpload> {
    const isMine = await this.database.manager.existsBy(BulkUploadRow, { id: bulkUploadId, userId: caller.userId });
    if (!isMine) throw new AppError('bulk_uploads.not_found');
    return this.present(bulkUploadId);
  }

  private async present(bulkUploadId: string): Promise<BulkUpload> {
    const tasks = await tasksOf(this.database.manager, bulkUploadId);
    if (tasks.length === 0) throw new AppError('bulk_uploads.not_found');
    return this.presenter.bulkUpload(bulkUploadId, tasks);
  }

  private async start(manager: EntityManager, caller: Caller, task: TaskRow, verdict: Inspection): Promise<void> {
    if (!verdict.ok && verdict.isMissing) return;
    if (!verdict.ok) {
      await manager.update(TaskRow, task.id, { status: 'invalid', errorCode: verdict.code });
      await this.uploads.discard(task.id);
      return;
    }
    await this.uploads.claim(task.id);
    const run: TaskRow = {
      ...task,
      status: 'processing',
      contentType: verdict.contentType,
      sizeBytes: verdict.sizeBytes,
      runId: randomUUID(),
      rendition: renditionFor(caller.role, task),
      processing: runSettings(await this.settings.read()),
      queuedAt: new Date(),
      errorCode: null,
    };
    await manager.save(TaskRow, run);
    await this.outbox.add(manager, [runJobOf(run)]);
  }

  private async announce(bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUploadCreated> {
    const taskList = await Promise.all(
      rows.map(async (row) => {
        const { url, headers } = await this.uploads.target(row.id, row.contentType);
        return { taskId: row.id, status: row.status, uploadUrl: url, uploadHeaders: { ...headers } };
      }),
    );
    return { bulkUploadId, status: 'started', taskList };
  }
}

/** Work on it has not started and may. */
const isWaiting = (status: TaskRow['status']): boolean => !isRunning(status) && mayFollow(status, 'processing');

const tasksOf = (manager: EntityManager, bulkUploadId: string): Promise<TaskRow[]> =>
  manager.find(TaskRow, { where: { bulkUploadId }, order: { position: 'ASC' } });

function newTask(caller: Caller, bulk: BulkUploadRow, input: ImageInput, position: number): TaskRow {
  const now = new Date();
  const keptMs = caller.isGuest ? KEPT_MS.guest : KEPT_MS.account;
  return {
    id: randomUUID(),
    bulkUploadId: bulk.id,
    userId: caller.userId,
    position,
    status: 'started',
    ...acceptOrder(caller, input),
    fileName: input.fileName ?? null,
    contentType: input.imageContentType,
    declaredSizeBytes: input.sizeBytes ?? null,
    sha256: input.sha256 ?? null,
    sizeBytes: null,
    uploadExpiresAt: new Date(now.getTime() + inMilliseconds.seconds(UPLOAD_URL_LIFETIME_SECONDS)),
    runId: null,
    rendition: null,
    processing: null,
    queuedAt: null,
    outputs: [],
    errorCode: null,
    exportedAt: null,
    exportFormat: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + keptMs),
  };
}
