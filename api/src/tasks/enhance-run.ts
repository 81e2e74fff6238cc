import {
  DEFAULT_JPEG_QUALITY,
  deliveredSpec,
  type EnhancedImage,
  enhanceImage,
  isDisplayable,
  isRunning,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  toolsOf,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunsService } from '../runs/runs.service.js';
import { KeyUsage } from '../usage/key-usage.js';
import { DownloadFiles } from './download-files.repository.js';
import { displaySpec } from './download-spec.js';
import { DiscardedFiles, keptResults } from './kept-results.js';
import { SharingsRepository } from './sharings.repository.js';
import {
  currentOf,
  isVideo,
  keptPartsOf,
  numbersOf,
  type TaskOutputRow,
  type TaskRow,
  type VideoRow,
} from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';

type Outcome = JobOutcome<typeof enhanceImage>;

@Injectable()
@KindOfRun(enhanceImage)
export class EnhanceRun implements RunKind<typeof enhanceImage, TaskRow> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly store: ObjectStore,
    private readonly downloads: DownloadFiles,
    private readonly discarded: DiscardedFiles,
    private readonly runs: RunsService,
    private readonly sharings: SharingsRepository,
    private readonly usage: KeyUsage,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof enhanceImage> | null> {
    const task = await this.tasks.find(run.subjectId, manager);
    if (task?.runId !== run.id || !isRunning(task.status)) return null;
    const { id: subjectId, aiPipeline, rendition, processing, keepLocation, mask } = task;
    if (!rendition || !processing) throw new Error(`task ${subjectId} has no request`);
    return {
      subjectId,
      runId: run.id,
      inputKey: objectKeys.input(subjectId),
      aiPipeline,
      rendition,
      display: displaySpec(rendition),
      maxSide: processing.maxSide,
      faceDetectorMaxInput: processing.faceDetectorMaxInput,
      keepLocation,
      kept: keptPartsOf(task),
      mask: mask && { ...mask, key: objectKeys.mask(subjectId) },
    };
  }

  async lock(manager: EntityManager, run: RunRow): Promise<TaskRow | null> {
    const task = await this.tasks.lockOfRun(manager, run.subjectId, run.id);
    return task && isRunning(task.status) ? task : null;
  }

  async settle(manager: EntityManager, run: RunRow, task: TaskRow, outcome: Outcome): Promise<void> {
    const change = changeOf(task, run.id, outcome, await this.downloads.downloadedResults(manager, task.id));
    await this.tasks.update(manager, task.id, change);
    if (outcome.kind === 'completed') await this.requestCompanions(manager, { ...task, ...change });
    const { width = 0, height = 0 } = outcome.kind === 'completed' ? outcome.result.master : {};
    await this.usage.settle(manager, run.id, outcome.kind, { tools: toolsOf(task.aiPipeline), pixels: width * height });
  }

  async settled(run: RunRow, outcome: Outcome): Promise<void> {
    // A failed run may be repeated, so its original is kept. A reprocessed task has a result and stays valid.
    if (outcome.kind === 'invalid' && (await this.tasks.hasStatus(run.subjectId, 'invalid'))) {
      await this.store.delete(objectKeys.input(run.subjectId));
      await this.store.delete(objectKeys.mask(run.subjectId));
      await this.store.delete(objectKeys.results(run.subjectId));
    }
    if (outcome.kind !== 'completed') return;
    await this.runs.dispatch('renders', 'large');
    await this.discarded.delete(run.subjectId);
  }

  megapixelsOf({ result: { input } }: Outcome & { kind: 'completed' }): number {
    return (input.width * input.height) / 1e6;
  }

  private async requestCompanions(manager: EntityManager, task: TaskRow): Promise<void> {
    await this.downloads.ensureConvertedOriginal(manager, task);
    // The rights may have changed since the start of the run.
    await this.downloads.orderMissing(manager, task);
    await this.sharings.markPreviewDue(manager, [task.id]);
    const [output] = task.outputs;
    if (!output || isDisplayable(output.order.contentType)) return;
    const spec = { ...output.order, contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
    await this.downloads.ensure(manager, task, output, spec);
  }
}

type Settings = Pick<TaskRow, 'aiPipeline' | 'outputContentType' | 'jpegQuality' | 'keepLocation'>;

function currentSettings(task: Pick<TaskRow, 'outputs'>): Settings | null {
  const output = currentOf(task);
  if (!output) return null;
  const { contentType: outputContentType, jpegQuality } = output.order;
  const { aiPipeline } = output.image.recipe;
  return { aiPipeline, outputContentType, jpegQuality, keepLocation: output.keepLocation ?? false };
}

/** State of a reprocessed task when its run yields no result; null without an earlier result. */
export function revertReprocessing(task: TaskRow): (Partial<TaskRow> & Pick<TaskRow, 'status'>) | null {
  const settings = isVideo(task) ? previousOf(task) : currentSettings(task);
  if (task.status !== 'reprocessing' || !settings) return null;
  return { ...settings, status: task.exportedAt ? 'exported' : 'completed' };
}

function previousOf({ video }: VideoRow): Partial<TaskRow> | null {
  if (!video.previous || !video.result) return null;
  const { previous, ...kept } = video;
  return { aiPipeline: previous.aiPipeline, video: { ...kept, probe: previous.probe, limit: null } };
}

function changeOf(
  task: TaskRow,
  runId: string,
  outcome: Outcome,
  downloaded: ReadonlySet<string>,
): Partial<TaskRow> & Pick<TaskRow, 'status'> {
  switch (outcome.kind) {
    case 'completed': {
      const outputs = keptResults(withResult(task, runId, outcome.result), downloaded);
      return {
        // A preview changes neither what is downloaded nor what the next run repeats.
        ...currentSettings({ outputs }),
        status: task.exportedAt ? 'exported' : 'completed',
        outputs,
        errorCode: null,
      };
    }
    case 'invalid':
    case 'failed':
      return { ...(revertReprocessing(task) ?? { status: outcome.kind }), errorCode: outcome.errorCode };
    case 'cancelled':
      return revertReprocessing(task) ?? { status: 'cancelled' };
  }
}

function withResult(task: TaskRow, runId: string, image: EnhancedImage): TaskOutputRow[] {
  if (!task.rendition) throw new Error(`run ${runId} has no request`);
  const isPreview = task.processing?.isPreview ?? false;
  const { rendition, keepLocation } = task;
  // A worker of an older version has encoded less of an untouched picture.
  const isWhole = !image.rendition.hasWatermark && image.rendition.width === image.master.width;
  const delivered = isWhole ? deliveredSpec(rendition, image.recipe) : rendition;
  const [newest = 0, ...older] = numbersOf([{}, ...task.outputs]);
  // Results of older versions keep the numbers that they were shown with.
  const earlier = task.outputs.map((output, index) => ({ ...output, number: older[index] }));
  return [{ runId, number: newest, image, order: delivered, isPreview, keepLocation }, ...earlier];
}
