import { DEFAULT_JPEG_QUALITY, objectKeys, type RunOutcome } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ExportsService } from '../exports.service.js';
import type { TaskRow } from '../task.entity.js';
import { lockTaskWithOwner } from '../task-lock.js';
import { RenditionRow } from './rendition.entity.js';
import { RenditionsService } from './renditions.service.js';

/** Takes the worker's word for files that were ordered. */
@Injectable()
export class FileSettlement {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: ObjectStore,
    private readonly renditions: RenditionsService,
    private readonly exports: ExportsService,
  ) {}

  /** Closes a run that made a file. False when the run was none of those. Closing it twice changes nothing. */
  async settle(taskId: string, runId: string, outcome: RunOutcome): Promise<boolean> {
    const file = await this.database.manager.findOneBy(RenditionRow, { id: runId });
    if (file) await this.database.transaction((manager) => this.close(manager, taskId, runId, outcome));
    // Its task was deleted meanwhile.
    else if (outcome.kind === 'rendered') await this.store.delete(objectKeys.run(taskId, runId));
    return file !== null || outcome.kind === 'rendered';
  }

  private async close(manager: EntityManager, taskId: string, id: string, outcome: RunOutcome): Promise<void> {
    const task = await lockTaskWithOwner(manager, taskId);
    const file = await manager.findOneBy(RenditionRow, { id });
    if (!task || file?.status !== 'pending') return;
    const change: Pick<RenditionRow, 'status' | 'image'> =
      outcome.kind === 'rendered' ? { status: 'ready', image: outcome.result } : { status: 'failed', image: null };
    await manager.update(RenditionRow, id, change);
    if (file.isExport) await this.exports.settle(manager, task, { ...file, ...change });
    await this.orderCompanion(manager, task, { ...file, ...change });
  }

  /** A browser can't show a TIFF. */
  private async orderCompanion(manager: EntityManager, task: TaskRow, file: RenditionRow): Promise<void> {
    const output = task.outputs.find(({ runId }) => runId === file.outputRunId);
    if (file.status !== 'ready' || file.rendition.contentType !== 'image/tiff' || !output) return;
    const order = { ...file.rendition, contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
    await this.renditions.ensure(manager, task, output, order);
  }
}
