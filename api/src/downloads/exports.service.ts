import { hasResult, isUntouched, lockedTool, snakeCase, type Task } from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { ExportRights } from '../tasks/export-rights.js';
import { cleanOrder } from '../tasks/orders.js';
import type { RenditionRow } from '../tasks/renditions.repository.js';
import { RenditionsService } from '../tasks/renditions.service.js';
import {
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
import { acceptFormat, type FormatRequest } from '../tasks/task-order.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

/** Encoding takes well under a second; the rest is time in the queue. */
const TIMEOUT_MS = 20_000;
const RETRY_SECONDS = 5;

interface ExportRequest extends FormatRequest {
  readonly outputId?: string | undefined;
  /** The picture was paid for by itself. */
  readonly isPaid?: boolean;
}

interface Delivered {
  readonly task: TaskRow;
  readonly outputId: string;
}

type Exporter = Pick<Caller, 'userId' | 'role' | 'isFree'>;

@Injectable()
export class ExportsService {
  private readonly mutex = new KeyedMutex();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly rights: ExportRights,
    private readonly renditions: RenditionsService,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
  ) {}

  /**
   * Reserves a download, orders the file and spends the download once the file is ready. Concurrent calls for a task
   * share both. A file that can't be rendered costs nothing, nor does one of an untouched result.
   * @returns the task with the exported result first, whatever was made after it
   */
  async export(caller: Caller, taskId: string, request: ExportRequest): Promise<Task> {
    const found = await this.tasks.findOwn(caller.userId, taskId);
    if (found && isVideo(found)) return this.presenter.task(caller.role, await this.deliverVideo(caller, taskId));
    const { task, outputId } = await this.deliver(caller, taskId, request);
    return withOutputFirst(await this.presenter.task(caller.role, task), outputId);
  }

  /** The finished file. A video has used its weekly allowance and no download. */
  private deliverVideo(caller: Exporter, taskId: string): Promise<TaskRow> {
    return this.inTransaction(caller, async (manager) => {
      const task = await this.tasks.lockOwn(manager, caller.userId, taskId);
      if (!hasFinishedFile(task)) throw wrongState(task);
      const change = { status: 'exported', exportedAt: task.exportedAt ?? new Date() } as const;
      await this.tasks.update(manager, task.id, change);
      return { ...task, ...change };
    });
  }

  /** Exports a picture that was paid for by itself, without its owner. */
  async exportPaid(userId: string, taskId: string, timeoutMs = TIMEOUT_MS): Promise<TaskRow> {
    const { task } = await this.deliver({ userId, role: 'guest', isFree: false }, taskId, { isPaid: true }, timeoutMs);
    return task;
  }

  private async deliver(
    caller: Exporter,
    taskId: string,
    request: ExportRequest,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Delivered> {
    const { file, format, outputId, isFree, exported } = await this.inTransaction(caller, (manager) =>
      this.order(manager, caller, taskId, request),
    );
    if (exported) return { task: exported, outputId };
    await this.runs.dispatch('renders');
    const status = await this.renditions.waitUntilSettled(file.id, timeoutMs);
    // The reservation and the pending file remain for the next attempt.
    if (status !== 'ready') throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    const task = await this.inTransaction(caller, (manager) => this.finish(manager, taskId, format, isFree));
    return { task, outputId };
  }

  /** Spends or releases the reserved download. The caller holds the task and its owner. */
  async settle(manager: EntityManager, task: TaskRow, file: RenditionRow): Promise<void> {
    if (file.status === 'ready') await this.spend(manager, task, file.rendition);
    else if (!task.exportedAt) await this.rights.release(manager, task.id);
  }

  private inTransaction<Result>(
    { userId }: Exporter,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.mutex.runExclusive(userId, () => this.database.transaction(work));
  }

  private async order(manager: EntityManager, caller: Exporter, taskId: string, request: ExportRequest) {
    await lockUsers(manager, caller.userId);
    const task = await this.tasks.lockOwn(manager, caller.userId, taskId);
    // Earlier results stay downloadable while the picture is processed again.
    if (!hasResult(task.status) && task.status !== 'reprocessing') throw wrongState(task);
    const output = resultOf(task, request.outputId);
    if (!output) throw noResultError(caller, task);
    const format = acceptFormat(caller.role, request, task);
    // A payment is spent even though a later result is untouched.
    const isFree = isUntouched(output.image.recipe) && !request.isPaid;
    if (!isFree && !task.exportedAt) await this.rights.reserve(manager, caller, task.id);
    const use = isFree ? 'conversion' : 'export';
    const file = await this.renditions.ensure(manager, task, output, cleanOrder(format), use);
    // In this transaction: after a crash between two of them, nothing would spend the reservation.
    const exported = file.status === 'ready' ? await this.complete(manager, task, format, isFree) : null;
    return { file, format, outputId: output.runId, isFree, exported };
  }

  private async finish(manager: EntityManager, taskId: string, format: Format, isFree: boolean): Promise<TaskRow> {
    return this.complete(manager, requireTask(await this.tasks.lockWithOwner(manager, taskId)), format, isFree);
  }

  /** A free file leaves the task unexported: a later result of the picture has its price. */
  private async complete(manager: EntityManager, task: TaskRow, format: Format, isFree: boolean): Promise<TaskRow> {
    if (!isFree) return this.spend(manager, task, format);
    const change = { exportFormat: normalizeFormat(format) };
    await this.tasks.update(manager, task.id, change);
    return { ...task, ...change };
  }

  private async spend(manager: EntityManager, task: TaskRow, format: Format): Promise<TaskRow> {
    if (!task.exportedAt) await this.rights.commit(manager, task.id);
    const change = {
      // A task in reprocessing becomes `exported` when its run ends.
      status: task.status === 'completed' ? ('exported' as const) : task.status,
      exportedAt: task.exportedAt ?? new Date(),
      exportFormat: normalizeFormat(format),
    };
    await this.tasks.update(manager, task.id, change);
    return { ...task, ...change };
  }
}

/** Spec 2, section 7: an export answers its file in the first output. */
function withOutputFirst(task: Task, outputId: string): Task {
  const { outputs } = task.result;
  const isExported = ({ id }: { readonly id: string }) => id === outputId;
  return {
    ...task,
    result: { outputs: [...outputs.filter(isExported), ...outputs.filter((one) => !isExported(one))] },
  };
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
function noResultError({ role }: Exporter, { status, outputs: [preview] }: TaskRow): AppError {
  if (!preview) return wrongState({ status });
  const locked = lockedTool(role, preview.image.recipe.aiPipeline);
  if (locked) return new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
  return new AppError('outputs.preview_only');
}
