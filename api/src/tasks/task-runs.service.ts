import {
  DEFAULT_JPEG_QUALITY,
  type EnhancedImage,
  type InvalidCode,
  inMilliseconds,
  objectKeys,
  RUNNING_STATUSES,
  type RunOutcome,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, LessThan } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { Outbox } from '../queue/outbox.service.js';
import { RunKeeper, type UnsettledRun } from '../queue/run-keeper.js';
import { type PromisedUpload, type ReceivedUpload, UploadTasks } from '../uploads/upload-tasks.js';
import { FileSettlement } from './renditions/file-settlement.js';
import { servedOrder } from './renditions/orders.js';
import { RenditionsService } from './renditions/renditions.service.js';
import { type TaskOutputRow, TaskRow } from './task.entity.js';
import { runJobOf } from './task-order.js';

/** As long as a request may take. */
const LONGEST_UPLOAD_MS = inMilliseconds.minutes(30);

/** What the queue and the uploads need of tasks. */
@Injectable()
export class TaskRunsService implements RunKeeper, UploadTasks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: ObjectStore,
    private readonly renditions: RenditionsService,
    private readonly files: FileSettlement,
    private readonly outbox: Outbox,
  ) {}

  async settle(taskId: string, runId: string, outcome: RunOutcome): Promise<void> {
    const isTaken =
      (await this.files.settle(taskId, runId, outcome)) ||
      (await this.database.transaction((manager) => this.settleRun(manager, taskId, runId, outcome)));
    await this.outbox.flush();
    if (!isTaken) await this.discardStray(taskId, runId);
    else if (outcome.kind !== 'completed' && outcome.kind !== 'rendered')
      await this.store.delete(objectKeys.run(taskId, runId));
  }

  async unsettled(olderThanMs: number, limit: number): Promise<readonly UnsettledRun[]> {
    const rows = await this.database.manager.find(TaskRow, {
      where: { status: In([...RUNNING_STATUSES]), queuedAt: LessThan(new Date(Date.now() - olderThanMs)) },
      order: { queuedAt: 'ASC' },
      take: limit,
    });
    const runs = rows.flatMap((row) => (row.runId ? [{ taskId: row.id, runId: row.runId, job: runJobOf(row) }] : []));
    return [...runs, ...(await this.renditions.unsettled(olderThanMs, limit))];
  }

  /** False when nobody waits for the run any more. */
  private async settleRun(
    manager: EntityManager,
    taskId: string,
    runId: string,
    outcome: RunOutcome,
  ): Promise<boolean> {
    const task = await manager.findOne(TaskRow, {
      where: { id: taskId, runId, status: In([...RUNNING_STATUSES]) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!task) return false;
    const change = changeOf(task, runId, outcome);
    await manager.update(TaskRow, task.id, change);
    if (outcome.kind === 'completed') await this.orderCompanions(manager, { ...task, ...change });
    // What nobody can use is not kept; a failed picture's original is, the fault being ours.
    if (change.status === 'invalid') await this.store.delete(objectKeys.input(taskId));
    return true;
  }

  /** What a browser can show, of what it can't. */
  private async orderCompanions(manager: EntityManager, task: TaskRow): Promise<void> {
    await this.renditions.ensureOriginal(manager, task);
    const [output] = task.outputs;
    if (output?.image.rendition.contentType !== 'image/tiff') return;
    const order = servedOrder(task, output, { contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY });
    await this.renditions.ensure(manager, task, output, order);
  }

  async beginUpload(taskId: string): Promise<PromisedUpload> {
    const { manager } = this.database;
    const task = await manager.findOneBy(TaskRow, { id: taskId });
    if (!task) throw new AppError('uploads.not_found');
    const uploadExpiresAt = new Date(Date.now() + LONGEST_UPLOAD_MS);
    if (!(await this.updateOpen(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    return { sizeBytes: task.declaredSizeBytes, sha256: task.sha256 };
  }

  async finishUpload(taskId: string, { sizeBytes, contentType }: ReceivedUpload): Promise<boolean> {
    return this.updateOpen(taskId, { sizeBytes, contentType, errorCode: null });
  }

  async abortUpload(taskId: string, addressExpiresAt: Date): Promise<void> {
    await this.updateOpen(taskId, { uploadExpiresAt: addressExpiresAt });
  }

  async refuseUpload(taskId: string, errorCode: InvalidCode): Promise<void> {
    await this.updateOpen(taskId, { errorCode });
  }

  /** Changes a task that still takes bytes. False when it no longer does. */
  private async updateOpen(
    taskId: string,
    change: Pick<Partial<TaskRow>, 'sizeBytes' | 'contentType' | 'errorCode' | 'uploadExpiresAt'>,
  ): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      TaskRow,
      { id: taskId, status: In(['started', 'uploading']) },
      { status: 'uploading', ...change },
    );
    return affected === 1;
  }

  /** The bytes of a run that was cancelled, deleted or replaced meanwhile; never those of a result that counts. */
  private async discardStray(taskId: string, runId: string): Promise<void> {
    const task = await this.database.manager.findOneBy(TaskRow, { id: taskId });
    if (task?.outputs.some((output) => output.runId === runId)) return;
    await this.store.delete(objectKeys.run(taskId, runId));
  }
}

/** A picture that was to be made again goes back to the result it has, whatever became of the new one. */
export function changeBack(task: TaskRow): Pick<TaskRow, 'status' | 'aiPipeline' | 'outputContentType'> | null {
  const [output] = task.outputs;
  if (task.status !== 'reprocessing' || !output) return null;
  return {
    status: task.exportedAt ? 'exported' : 'completed',
    aiPipeline: output.image.recipe.aiPipeline,
    outputContentType: output.order.contentType,
  };
}

function changeOf(task: TaskRow, runId: string, outcome: RunOutcome): Partial<TaskRow> & Pick<TaskRow, 'status'> {
  switch (outcome.kind) {
    case 'completed':
      return {
        status: task.exportedAt ? 'exported' : 'completed',
        outputs: withResult(task, runId, outcome.result),
        errorCode: null,
      };
    case 'invalid':
    case 'failed':
      return { ...(changeBack(task) ?? { status: outcome.kind }), errorCode: outcome.errorCode };
    case 'cancelled':
      return changeBack(task) ?? { status: 'cancelled' };
    case 'rendered':
      throw new Error(`run ${runId} of the networks ended as a file`);
  }
}

function withResult(task: TaskRow, runId: string, image: EnhancedImage): TaskOutputRow[] {
  if (!task.rendition) throw new Error(`run ${runId} has no order`);
  const isPreview = task.processing?.isPreview ?? false;
  return [{ runId, image, order: task.rendition, isPreview }, ...task.outputs];
}
