import {
  DEFAULT_JPEG_QUALITY,
  hasOriginal,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { type RenditionRow, RenditionsRepository } from '../tasks/renditions.repository.js';
import { RenditionsService } from '../tasks/renditions.service.js';
import type { TaskOutputRow, TaskRow } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { ExportsService } from './exports.service.js';

type Outcome = JobOutcome<typeof renderImage>;

interface PendingFile {
  readonly task: TaskRow;
  readonly file: RenditionRow;
}

/** Its id is the rendition's, its subject the task. */
@Injectable()
@KindOfRun(renderImage)
export class RenderRun implements RunKind<typeof renderImage, PendingFile> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly files: RenditionsRepository,
    private readonly renditions: RenditionsService,
    private readonly exports: ExportsService,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof renderImage> | null> {
    const [file, task] = await Promise.all([this.files.find(run.id, manager), this.tasks.find(run.subjectId, manager)]);
    const output = task?.outputs.find(({ runId }) => runId === file?.outputRunId);
    if (file?.status !== 'pending' || !task || !hasOriginal(task.status) || (file.outputRunId && !output)) return null;
    return {
      subjectId: task.id,
      runId: run.id,
      sourceKey: output?.image.master.key ?? objectKeys.input(task.id),
      rendition: file.rendition,
      recipe: output?.image.recipe ?? null,
      keepLocation: (output ?? task).keepLocation ?? false,
      ...(file.rendition.watermark && output && { faces: facesOf(output) }),
    };
  }

  async lock(manager: EntityManager, run: RunRow): Promise<PendingFile | null> {
    const task = await this.tasks.lockWithOwner(manager, run.subjectId);
    const file = await this.files.find(run.id, manager);
    return task && hasOriginal(task.status) && file?.status === 'pending' ? { task, file } : null;
  }

  async settle(manager: EntityManager, _run: RunRow, { task, file }: PendingFile, outcome: Outcome): Promise<void> {
    const change: Pick<RenditionRow, 'status' | 'image'> =
      outcome.kind === 'completed' ? { status: 'ready', image: outcome.result } : { status: 'failed', image: null };
    await this.files.update(manager, file.id, change);
    if (file.isExport) await this.exports.settle(manager, task, { ...file, ...change });
    await this.orderCompanion(manager, task, { ...file, ...change });
  }

  private async orderCompanion(manager: EntityManager, task: TaskRow, file: RenditionRow): Promise<void> {
    const output = task.outputs.find(({ runId }) => runId === file.outputRunId);
    if (file.status !== 'ready' || file.rendition.contentType !== 'image/tiff' || !output) return;
    const order = { ...file.rendition, contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
    await this.renditions.ensure(manager, task, output, order);
  }
}

const facesOf = ({ image: { faces, master } }: TaskOutputRow) =>
  faces.map(({ box: { x, y, width, height } }) => ({
    x: x / master.width,
    y: y / master.height,
    width: width / master.width,
    height: height / master.height,
  }));
