import {
  DEFAULT_JPEG_QUALITY,
  type EnhancedImage,
  enhanceImage,
  isRunning,
  type JobOutcome,
  type JobPayload,
  objectKeys,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { RunRow } from '../../runs/model/run.entity.js';
import { KindOfRun, type RunKind } from '../../runs/model/run-kind.js';
import { RunsService } from '../../runs/runs.service.js';
import { type TaskOutputRow, TaskRow } from '../records/task.entity.js';
import { servedOrder } from '../renditions/orders.js';
import { RenditionsService } from '../renditions/renditions.service.js';

type Outcome = JobOutcome<typeof enhanceImage>;

/** The pipeline's run over a task's picture. */
@Injectable()
@KindOfRun(enhanceImage)
export class EnhanceRun implements RunKind<typeof enhanceImage, TaskRow> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: ObjectStore,
    private readonly renditions: RenditionsService,
    private readonly runs: RunsService,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof enhanceImage> | null> {
    const task = await manager.findOneBy(TaskRow, { id: run.subjectId, runId: run.id });
    if (!task || !isRunning(task.status)) return null;
    const { id: subjectId, aiPipeline, rendition, processing } = task;
    if (!rendition || !processing) throw new Error(`task ${subjectId} has no order`);
    return {
      subjectId,
      runId: run.id,
      inputKey: objectKeys.input(subjectId),
      aiPipeline,
      rendition,
      maxSide: processing.maxSide,
      faceDetectorMaxInput: processing.faceDetectorMaxInput,
      keepLocation: false,
    };
  }

  async lock(manager: EntityManager, run: RunRow): Promise<TaskRow | null> {
    const task = await manager.findOne(TaskRow, {
      where: { id: run.subjectId, runId: run.id },
      lock: { mode: 'pessimistic_write' },
    });
    return task && isRunning(task.status) ? task : null;
  }

  async settle(manager: EntityManager, run: RunRow, task: TaskRow, outcome: Outcome): Promise<void> {
    const change = changeOf(task, run.id, outcome);
    await manager.update(TaskRow, task.id, change);
    if (outcome.kind === 'completed') await this.orderCompanions(manager, { ...task, ...change });
  }

  async settled(run: RunRow, outcome: Outcome): Promise<void> {
    // An original that can't be used is not kept; that of a failed run is, since it may be tried again.
    if (outcome.kind === 'invalid' && (await this.isInvalid(run.subjectId))) {
      await this.store.delete(objectKeys.input(run.subjectId));
    }
    if (outcome.kind === 'completed') await this.runs.dispatch('renders');
  }

  /** A task that was being reprocessed has an earlier result and stays valid. */
  private isInvalid(taskId: string): Promise<boolean> {
    return this.database.manager.existsBy(TaskRow, { id: taskId, status: 'invalid' });
  }

  megapixelsOf({ result: { input } }: Outcome & { kind: 'completed' }): number {
    return (input.width * input.height) / 1e6;
  }

  /** Files that browsers can show, of an original or a result that they can't. */
  private async orderCompanions(manager: EntityManager, task: TaskRow): Promise<void> {
    await this.renditions.ensureOriginal(manager, task);
    const [output] = task.outputs;
    if (output?.image.rendition.contentType !== 'image/tiff') return;
    const order = servedOrder(task, output, { contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY });
    await this.renditions.ensure(manager, task, output, order);
  }
}

/** What a task that was being reprocessed returns to when no new result comes; null without an earlier result. */
export function revertReprocessing(task: TaskRow): Pick<TaskRow, 'status' | 'aiPipeline' | 'outputContentType'> | null {
  const [output] = task.outputs;
  if (task.status !== 'reprocessing' || !output) return null;
  return {
    status: task.exportedAt ? 'exported' : 'completed',
    aiPipeline: output.image.recipe.aiPipeline,
    outputContentType: output.order.contentType,
  };
}

function changeOf(task: TaskRow, runId: string, outcome: Outcome): Partial<TaskRow> & Pick<TaskRow, 'status'> {
  switch (outcome.kind) {
    case 'completed':
      return {
        status: task.exportedAt ? 'exported' : 'completed',
        outputs: withResult(task, runId, outcome.result),
        errorCode: null,
      };
    case 'invalid':
    case 'failed':
      return { ...(revertReprocessing(task) ?? { status: outcome.kind }), errorCode: outcome.errorCode };
    case 'cancelled':
      return revertReprocessing(task) ?? { status: 'cancelled' };
  }
}

function withResult(task: TaskRow, runId: string, image: EnhancedImage): TaskOutputRow[] {
  if (!task.rendition) throw new Error(`run ${runId} has no order`);
  const isPreview = task.processing?.isPreview ?? false;
  return [{ runId, image, order: task.rendition, isPreview }, ...task.outputs];
}
