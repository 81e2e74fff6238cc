import {
  DEFAULT_JPEG_QUALITY,
  hasOriginal,
  isDisplayable,
  isLayered,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import type { DownloadRow } from '../tasks/download.entity.js';
import { DownloadFiles } from '../tasks/download-files.repository.js';
import { DueDownloads } from '../tasks/due-downloads.js';
import { SharingsRepository } from '../tasks/sharings.repository.js';
import type { TaskOutputRow, TaskRow } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { DownloadsService } from './downloads.service.js';

type Outcome = JobOutcome<typeof renderImage>;

interface PendingFile {
  readonly task: TaskRow;
  readonly file: DownloadRow;
}

/** Its id is the file's, its subject the task. */
@Injectable()
@KindOfRun(renderImage)
export class DownloadRun implements RunKind<typeof renderImage, PendingFile> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly files: DownloadFiles,
    private readonly downloads: DownloadsService,
    private readonly due: DueDownloads,
    private readonly sharings: SharingsRepository,
  ) {}

  async payload(manager: EntityManager, run: RunRow): Promise<JobPayload<typeof renderImage> | null> {
    const [file, task] = await Promise.all([this.files.find(run.id, manager), this.tasks.find(run.subjectId, manager)]);
    const output = task?.outputs.find(({ runId }) => runId === file?.outputRunId);
    if (file?.status !== 'pending' || !task || !hasOriginal(task.status) || (file.outputRunId && !output)) return null;
    return {
      subjectId: task.id,
      runId: run.id,
      sourceKey: output?.image.master.key ?? objectKeys.input(task.id),
      ...(showsOriginal(file.rendition) && { originalKey: objectKeys.input(task.id) }),
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
    const change: Pick<DownloadRow, 'status' | 'image'> =
      outcome.kind === 'completed' ? { status: 'ready', image: outcome.result } : { status: 'failed', image: null };
    await this.files.update(manager, file.id, change);
    if (file.isExport) await this.downloads.settle(manager, task, { ...file, ...change });
    if (change.status === 'failed') await this.due.retryLater(manager, task.userId);
    else if (file.rendition.use === 'display') await this.sharings.markPreviewDue(manager, [task.id]);
    await this.requestCompanion(manager, task, { ...file, ...change });
  }

  private async requestCompanion(manager: EntityManager, task: TaskRow, file: DownloadRow): Promise<void> {
    const output = task.outputs.find(({ runId }) => runId === file.outputRunId);
    if (file.status !== 'ready' || isDisplayable(file.rendition.contentType) || !output) return;
    const spec = { ...file.rendition, contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
    await this.files.ensure(manager, task, output, spec);
  }
}

const showsOriginal = ({ use, contentType }: DownloadRow['rendition']): boolean =>
  use === 'changes' || isLayered(contentType);

const facesOf = ({ image: { faces, master } }: TaskOutputRow) =>
  faces.map(({ box: { x, y, width, height } }) => ({
    x: x / master.width,
    y: y / master.height,
    width: width / master.width,
    height: height / master.height,
  }));
