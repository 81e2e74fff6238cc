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
import type { Caller } from '../../identity/caller/caller.js';
import { SessionService } from '../../identity/sessions/session.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RunCapacity } from '../../runs/run-capacity.js';
import { RunsService } from '../../runs/runs.service.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { ProcessingSettings } from '../processing/processing-settings.js';
import { acceptCount, acceptOrder, enhanceRunOf, renditionFor, runSettings } from '../processing/task-order.js';
import { BulkUploadRow } from '../records/bulk-upload.entity.js';
import { lockBulkUpload } from '../records/bulk-upload-lock.js';
import { TaskRow } from '../records/task.entity.js';
import { type Inspection, UPLOAD_URL_LIFETIME_SECONDS, UploadsService } from './uploads.service.js';

/** How long media is kept: a day for guests, thirty for accounts (decisions, section 3). */
const KEPT_MS = { guest: inMilliseconds.hours(24), account: inMilliseconds.days(30) } as const;

/** Announcing pictures and starting work on them. */
@Injectable()
export class BulkUploadsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly uploads: UploadsService,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
    private readonly capacity: RunCapacity,
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
    let isDone = false;
    while (!isDone) isDone = await this.tryProcess(caller, bulkUploadId);
    await this.runs.dispatch('images', 'colors');
    // The upload may belong to an account by now, and the work has started all the same.
    return this.present(bulkUploadId);
  }

  /**
   * Looks at the files first and locks afterwards: nothing waits for storage while it holds a lock.
   * @returns false when files were added meanwhile that have not been looked at
   */
  private async tryProcess(caller: Caller, bulkUploadId: string): Promise<boolean> {
    const inspections = await this.inspect(caller, bulkUploadId);
    const refused: string[] = [];
    const isDone = await this.database.transaction(async (manager) => {
      const { tasks } = await lockBulkUpload(manager, caller, bulkUploadId);
      const waiting = tasks.filter(({ status }) => isWaiting(status));
      const found = waiting.flatMap((task) => {
        const inspection = inspections.get(task.id);
        return inspection ? [{ task, inspection }] : [];
      });
      if (found.length < waiting.length) return false;
      const [first] = found;
      if (!first) return true;
      const valid = found.filter(({ inspection }) => inspection.ok);
      if (tasks.length === waiting.length && !first.inspection.ok && valid.length === 0) {
        throw new AppError(first.inspection.code);
      }
      await this.capacity.check(manager, caller.userId, valid.length);
      const settings = runSettings(await this.settings.read());
      for (const { task, inspection } of found) {
        if (!inspection.ok && !inspection.isMissing) refused.push(task.id);
        await this.start(manager, caller, task, inspection, settings);
      }
      return true;
    });
    for (const taskId of refused) await this.uploads.discard(taskId);
    return isDone;
  }

  /** Looks at every file that waits, and takes those that can be used out of their addresses' reach. */
  private async inspect(caller: Caller, bulkUploadId: string): Promise<Map<string, Inspection>> {
    const { manager } = this.database;
    const isOwn = await manager.existsBy(BulkUploadRow, { id: bulkUploadId, userId: caller.userId });
    if (!isOwn) throw new AppError('bulk_uploads.not_found');
    const inspections = new Map<string, Inspection>();
    for (const task of await tasksOf(manager, bulkUploadId)) {
      if (!isWaiting(task.status)) continue;
      const refusal = INVALID_CODES.find((code) => code === task.errorCode) ?? null;
      const inspection = await this.uploads.inspect(task.id, task.declaredSizeBytes, refusal);
      if (inspection.ok) await this.uploads.claim(task.id);
      inspections.set(task.id, inspection);
    }
    return inspections;
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

  private async start(
    manager: EntityManager,
    caller: Caller,
    task: TaskRow,
    inspection: Inspection,
    processing: NonNullable<TaskRow['processing']>,
  ): Promise<void> {
    if (!inspection.ok && inspection.isMissing) return;
    if (!inspection.ok) {
      await manager.update(TaskRow, task.id, { status: 'invalid', errorCode: inspection.code });
      return;
    }
    const run: TaskRow = {
      ...task,
      status: 'processing',
      contentType: inspection.contentType,
      sizeBytes: inspection.sizeBytes,
      runId: randomUUID(),
      rendition: renditionFor(caller.role, task),
      processing,
      errorCode: null,
    };
    await manager.save(TaskRow, run);
    await this.runs.add(manager, enhanceRunOf(run, caller.role));
  }

  private async announce(bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUploadCreated> {
    const taskList = await Promise.all(
      rows.map(async (row) => {
        const { id, contentType, declaredSizeBytes: sizeBytes, sha256 } = row;
        const { url, headers } = await this.uploads.target(id, contentType, { sizeBytes, sha256 });
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
    outputs: [],
    errorCode: null,
    exportedAt: null,
    exportFormat: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + keptMs),
  };
}
