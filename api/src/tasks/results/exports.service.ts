import { hasResult, lockedTool, snakeCase, type Task } from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { lockUsers } from '../../platform/database/user-lock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RunsService } from '../../runs/runs.service.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { acceptFormat, type FormatWish } from '../processing/task-order.js';
import { type Format, normalFormat } from '../records/format.js';
import { type TaskOutputRow, TaskRow } from '../records/task.entity.js';
import { lockTaskWithOwner } from '../records/task-lock.js';
import { cleanOrder } from '../renditions/orders.js';
import type { RenditionRow } from '../renditions/rendition.entity.js';
import { RenditionsService } from '../renditions/renditions.service.js';
import { ExportRights } from './export-rights.js';

/** A file is encoded in well under a second; this long only where many are waiting. */
const PATIENCE_MS = 20_000;
const RETRY_SECONDS = 5;

type Exporter = Pick<Caller, 'userId' | 'role' | 'isFree'> & { readonly skipsPreviews?: boolean };

/** Downloads that are clean and in full. */
@Injectable()
export class ExportsService {
  private readonly mutex = new KeyedMutex();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly rights: ExportRights,
    private readonly renditions: RenditionsService,
    private readonly runs: RunsService,
    private readonly presenter: TaskPresenter,
  ) {}

  /**
   * Sets a download aside, has the file made and spends the download once it is there, all of it once: whoever asks
   * again meanwhile waits for the same file. A file that can't be made costs nothing.
   */
  async export(caller: Caller, taskId: string, wish: FormatWish): Promise<Task> {
    return this.presenter.task(await this.deliver(caller, taskId, wish));
  }

  /**
   * Makes the download that a guest has paid for, for the owner of the link in their receipt. Previews that were made
   * since are passed over.
   * @returns the task, exported
   */
  exportPaid(userId: string, taskId: string): Promise<TaskRow> {
    return this.deliver({ userId, role: 'guest', isFree: false, skipsPreviews: true }, taskId, {});
  }

  private async deliver(caller: Exporter, taskId: string, wish: FormatWish): Promise<TaskRow> {
    const { file, format } = await this.inTurn(caller, (manager) => this.order(manager, caller, taskId, wish));
    await this.runs.dispatch('renders');
    const status = file.status === 'pending' ? await this.renditions.settled(file.id, PATIENCE_MS) : file.status;
    // Still on its way: what was set aside stays so, and the next try finds the same file.
    if (status !== 'ready') throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    return this.inTurn(caller, (manager) => this.finish(manager, taskId, format));
  }

  /** What follows from a file that was made, or could not be, for a download. The caller holds the task and its owner. */
  async settle(manager: EntityManager, task: TaskRow, file: RenditionRow): Promise<void> {
    if (file.status === 'ready') await this.spend(manager, task, file.rendition);
    else if (!task.exportedAt) await this.rights.release(manager, task.id);
  }

  private inTurn<Result>({ userId }: Exporter, work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.mutex.runExclusive(userId, () => this.database.transaction(work));
  }

  private async order(manager: EntityManager, caller: Exporter, taskId: string, wish: FormatWish) {
    await lockUsers(manager, caller.userId);
    const task = await manager.findOne(TaskRow, {
      where: { id: taskId, userId: caller.userId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!task) throw new AppError('tasks.not_found');
    const [newest] = task.outputs;
    const output = caller.skipsPreviews ? task.outputs.find(({ isPreview }) => !isPreview) : newest;
    if (!hasResult(task.status) || !output)
      throw new AppError('tasks.wrong_state', { details: { status: task.status } });
    refusePreview(caller, output);
    const format = acceptFormat(caller.role, wish, task);
    if (!task.exportedAt) await this.rights.reserve(manager, caller, task.id);
    const file = await this.renditions.ensure(manager, task, output, cleanOrder(format), true);
    return { file, format };
  }

  private async finish(manager: EntityManager, taskId: string, format: Format): Promise<TaskRow> {
    const task = await lockTaskWithOwner(manager, taskId);
    if (!task) throw new AppError('tasks.not_found');
    return this.spend(manager, task, format);
  }

  private async spend(manager: EntityManager, task: TaskRow, format: Format): Promise<TaskRow> {
    if (!task.exportedAt) await this.rights.commit(manager, task.id);
    const change = {
      // A picture that is being made again meanwhile becomes `exported` when that has ended.
      status: task.status === 'completed' ? ('exported' as const) : task.status,
      exportedAt: task.exportedAt ?? new Date(),
      exportFormat: normalFormat(format),
    };
    await manager.update(TaskRow, task.id, change);
    return { ...task, ...change };
  }
}

/** A preview is there to be looked at. With a plan that has its tools, the picture is made again in full. */
function refusePreview({ role }: Exporter, { isPreview, image }: TaskOutputRow): void {
  if (!isPreview) return;
  const locked = lockedTool(role, image.recipe.aiPipeline);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
  throw new AppError('outputs.preview_only');
}
