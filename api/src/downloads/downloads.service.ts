import { parse } from 'node:path';
import {
  type BulkUpload,
  DEFAULT_JPEG_QUALITY,
  hasOriginal,
  hasResult,
  isUntouched,
  lockedTool,
  snakeCase,
  type Task,
} from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { contentDispositionOf, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ExportRights } from '../billing-accounts/export-rights.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import type { DownloadRow } from '../tasks/download.entity.js';
import { DownloadFiles } from '../tasks/download-files.repository.js';
import {
  acceptContentType,
  acceptFormat,
  CHANGE_MAP,
  cleanSpec,
  type FormatRequest,
  servedSpec,
} from '../tasks/download-spec.js';
import {
  currentOf,
  type Format,
  hasFinishedFile,
  isVideo,
  newestResultOf,
  normalizeFormat,
  requireTask,
  type TaskOutputRow,
  type TaskRow,
  wrongState,
} from '../tasks/task.entity.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

/** Encoding takes well under a second; the rest is time in the queue. */
const TIMEOUT_MS = 20_000;
const RETRY_SECONDS = 5;

interface DownloadRequest extends FormatRequest {
  readonly outputId?: string | undefined;
  /** The picture was paid for by itself. */
  readonly isPaid?: boolean;
}

type Downloader = Pick<Caller, 'userId' | 'role' | 'isFree'>;

@Injectable()
export class DownloadsService {
  private readonly mutex = new KeyedMutex();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly rights: ExportRights,
    private readonly downloads: DownloadFiles,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Reserves a download, requests the file and spends the download once the file is ready. Concurrent calls for a task
   * share both. A file that can't be rendered costs nothing, nor does one of an untouched
   * result or of a test picture, which keeps its watermark.
   * @returns the task with the downloaded result first, whatever was made after it
   */
  async download(caller: Caller, taskId: string, request: DownloadRequest): Promise<Task> {
    const found = await this.tasks.findOwn(caller, taskId);
    if (found && isVideo(found)) {
      await this.deliverVideo(caller, taskId);
      return this.presenter.get(caller, taskId);
    }
    const outputId = await this.deliver(caller, taskId, request);
    return withOutputFirst(await this.presenter.get(caller, taskId), outputId);
  }

  /** The finished file. A video has used its weekly allowance and no download. */
  private deliverVideo(caller: Downloader, taskId: string): Promise<void> {
    return this.inTransaction(caller, async (manager) => {
      const task = await this.tasks.lockOwn(manager, caller, taskId);
      if (!hasFinishedFile(task)) throw wrongState(task);
      await this.tasks.update(manager, task.id, { status: 'exported', exportedAt: task.exportedAt ?? new Date() });
    });
  }

  /** Downloads a picture that was paid for by itself, without its owner. */
  async downloadPaid(userId: string, taskId: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    await this.deliver({ userId, role: 'guest', isFree: false }, taskId, { isPaid: true }, timeoutMs);
  }

  /** @returns the id of the downloaded result */
  private async deliver(
    caller: Downloader,
    taskId: string,
    request: DownloadRequest,
    timeoutMs = TIMEOUT_MS,
  ): Promise<string> {
    const { file, format, outputId, isFree } = await this.inTransaction(caller, (manager) =>
      this.reserve(manager, caller, taskId, request),
    );
    await this.runs.dispatch('renders', 'large');
    if (file.status === 'ready') return outputId;
    const status = await this.downloads.waitUntilSettled(file.id, timeoutMs);
    // The reservation and the pending file remain for the next attempt.
    if (status !== 'ready') throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    await this.inTransaction(caller, async (manager) =>
      this.complete(manager, requireTask(await this.tasks.lockWithOwner(manager, taskId)), format, isFree),
    );
    await this.runs.dispatch('renders', 'large');
    return outputId;
  }

  /** Made at the first request, and kept like other files of the result. */
  async changeMap(caller: Caller, taskId: string, outputId: string | undefined): Promise<StreamableFile> {
    const { file, name } = await this.database.transaction(async (manager) => {
      const task = await this.tasks.lockOwn(manager, caller, taskId);
      const output = requireResult(caller, task, outputId);
      return {
        file: await this.downloads.ensure(manager, task, output, CHANGE_MAP, 'conversion'),
        name: `${parse(task.fileName ?? task.id).name}-changes.png`,
      };
    });
    await this.runs.dispatch('renders', 'large');
    if (file.status !== 'ready') await this.downloads.waitUntilSettled(file.id, TIMEOUT_MS);
    const { image } = (await this.downloads.find(file.id)) ?? {};
    if (!image) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    const { contentType: type, sizeBytes: length } = image;
    const disposition = contentDispositionOf('attachment', name);
    return new StreamableFile(await this.store.read(image.key), { type, length, disposition });
  }

  async convert(caller: Caller, taskId: string, request: FormatRequest): Promise<{ task: Task; isReady: boolean }> {
    const isReady = await this.database.transaction(async (manager) => {
      const row = await this.tasks.lockOwn(manager, caller, taskId);
      const output = currentOf(row);
      if (!hasResult(row.status) || !output) throw wrongState(row);
      const spec = servedSpec(caller.role, row, output, acceptFormat(caller.role, request, row));
      const file = await this.downloads.ensure(manager, row, output, spec, 'conversion');
      return file.status === 'ready';
    });
    await this.runs.dispatch('renders', 'large');
    return { task: await this.presenter.get(caller, taskId), isReady };
  }

  /** Encodes the results that an archive in a format contains. */
  async prepareArchive(
    caller: Caller,
    bulkUploadId: string,
    { outputContentType, jpegQuality = DEFAULT_JPEG_QUALITY }: FormatRequest & { readonly outputContentType: string },
  ): Promise<{ bulkUpload: BulkUpload; isReady: boolean }> {
    const format = { contentType: acceptContentType(caller.role, outputContentType), jpegQuality };
    const isReady = await this.database.transaction(async (manager) => {
      const { tasks } = await this.tasks.lockUpload(manager, caller, bulkUploadId);
      const files: DownloadRow[] = [];
      for (const task of tasks) {
        const output = newestResultOf(task);
        if (!output) continue;
        const spec = servedSpec(caller.role, task, output, format);
        files.push(await this.downloads.ensure(manager, task, output, spec, 'conversion'));
      }
      return files.every(({ status }) => status === 'ready');
    });
    await this.runs.dispatch('renders', 'large');
    return { bulkUpload: await this.presenter.bulkUpload(caller.role, bulkUploadId), isReady };
  }

  async convertInputs(
    caller: Caller,
    bulkUploadId: string,
    taskIds: readonly string[] | undefined,
  ): Promise<BulkUpload> {
    await this.database.transaction(async (manager) => {
      const { tasks } = await this.tasks.lockUpload(manager, caller, bulkUploadId, taskIds);
      await this.convertEach(manager, tasks, taskIds !== undefined);
    });
    await this.runs.dispatch('renders', 'large');
    return this.presenter.bulkUpload(caller.role, bulkUploadId, taskIds);
  }

  private async convertEach(manager: EntityManager, tasks: readonly TaskRow[], areNamed: boolean): Promise<void> {
    for (const task of tasks) {
      if (hasOriginal(task.status)) await this.downloads.ensureConvertedOriginal(manager, task, 'conversion');
      else if (areNamed) throw wrongState(task);
    }
  }

  /** Spends or releases the reserved download. The caller holds the task and its owner. */
  async settle(manager: EntityManager, task: TaskRow, file: DownloadRow): Promise<void> {
    if (file.status === 'ready') await this.spend(manager, task, file.rendition);
    else if (!task.exportedAt) await this.rights.release(manager, task.id);
  }

  private inTransaction<Result>(
    { userId }: Downloader,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.mutex.runExclusive(userId, () => this.database.transaction(work));
  }

  private async reserve(manager: EntityManager, caller: Downloader, taskId: string, request: DownloadRequest) {
    await lockUsers(manager, caller.userId);
    const task = await this.tasks.lockOwn(manager, caller, taskId);
    const output = requireResult(caller, task, request.outputId);
    const format = acceptFormat(caller.role, request, task);
    // A payment is spent even though a later result is untouched.
    const isFree = task.isTest || (isUntouched(output.image.recipe) && !request.isPaid);
    const spec = task.isTest ? servedSpec(caller.role, task, output, format) : cleanSpec(format);
    if (!isFree && !task.exportedAt) await this.rights.reserve(manager, caller, task.id);
    const use = isFree ? 'conversion' : 'export';
    const file = await this.downloads.ensure(manager, task, output, spec, use);
    // In this transaction: after a crash between two of them, nothing would spend the reservation.
    if (file.status === 'ready') await this.complete(manager, task, format, isFree);
    return { file, format, outputId: output.runId, isFree };
  }

  /** A free file leaves the task unexported: a later result of the picture has its price. */
  private async complete(manager: EntityManager, task: TaskRow, format: Format, isFree: boolean): Promise<void> {
    if (isFree) await this.tasks.update(manager, task.id, { exportFormat: normalizeFormat(format) });
    else await this.spend(manager, task, format);
  }

  private async spend(manager: EntityManager, task: TaskRow, format: Format): Promise<void> {
    if (!task.exportedAt) await this.rights.commit(manager, task.id);
    const change = {
      // A task in reprocessing becomes `exported` when its run ends.
      status: task.status === 'completed' ? ('exported' as const) : task.status,
      exportedAt: task.exportedAt ?? new Date(),
      exportFormat: normalizeFormat(format),
    };
    await this.tasks.update(manager, task.id, change);
    // Its other results and all display files become clean.
    if (!task.exportedAt) await this.downloads.orderMissing(manager, { ...task, ...change });
  }
}

/** Spec 2, section 7: an export answers its file in the first output. */
function withOutputFirst(task: Task, outputId: string): Task {
  const { outputs } = task.result;
  const isDownloaded = ({ id }: { readonly id: string }) => id === outputId;
  return {
    ...task,
    result: { outputs: [...outputs.filter(isDownloaded), ...outputs.filter((one) => !isDownloaded(one))] },
  };
}

/**
 * A picture's result, also while the picture is processed again. Default: the newest.
 * @throws AppError `tasks.wrong_state`, `tasks.not_found`, `outputs.preview_only`, `pipeline.not_in_plan`
 */
export function requireResult(caller: Downloader, task: TaskRow, outputId: string | undefined): TaskOutputRow {
  if (isVideo(task) || (!hasResult(task.status) && task.status !== 'reprocessing')) throw wrongState(task);
  const output = resultOf(task, outputId);
  if (!output) throw noResultError(caller, task);
  return output;
}

/** @throws AppError `tasks.not_found` for an id of no result, `outputs.preview_only` */
function resultOf(task: TaskRow, outputId: string | undefined): TaskOutputRow | undefined {
  if (outputId === undefined) return newestResultOf(task);
  const output = task.outputs.find(({ runId }) => runId === outputId);
  if (!output) throw new AppError('tasks.not_found', { details: { output_id: outputId } });
  if (output.isPreview) throw new AppError('outputs.preview_only');
  return output;
}

/** Previews can't be downloaded; a plan that includes the tools can reprocess the picture. */
function noResultError({ role }: Downloader, { status, outputs: [preview] }: TaskRow): AppError {
  if (!preview) return wrongState({ status });
  const locked = lockedTool(role, preview.image.recipe.aiPipeline);
  if (locked) return new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
  return new AppError('outputs.preview_only');
}
