import { randomUUID } from 'node:crypto';
import {
  DEFAULT_JPEG_QUALITY,
  type DownloadSpec,
  isDisplayable,
  isImageContentType,
  OUTPUT_MAX_SIDE,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RUN_PRIORITY } from '../runs/run.entity.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsService } from '../runs/runs.service.js';
import { downloadKeyOf } from './download-spec.js';
import { type DownloadRow, DownloadsRepository } from './downloads.repository.js';
import type { TaskOutputRow, TaskRow } from './task.entity.js';

/** For originals that browsers can't show. */
const ORIGINAL_AS_JPEG: DownloadSpec = {
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark: false,
  maxSide: OUTPUT_MAX_SIDE,
};

/** Requested by the user, or needed by the product itself, which does not fail for a user's limit. */
type Use = 'export' | 'conversion' | 'product';

@Injectable()
export class DownloadFiles {
  constructor(
    private readonly repository: DownloadsRepository,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
  ) {}

  async listFor(taskIds: readonly string[], manager?: EntityManager): Promise<DownloadRow[]> {
    return taskIds.length === 0 ? [] : this.repository.list(taskIds, manager);
  }

  async ensure(
    manager: EntityManager,
    task: TaskRow,
    output: TaskOutputRow,
    spec: DownloadSpec,
    use: Use = 'product',
  ): Promise<DownloadRow> {
    // Reuses the file that the run itself rendered.
    const isOwn = downloadKeyOf(output.runId, output.order) === downloadKeyOf(output.runId, spec);
    return this.findOrInsert(manager, task, output.runId, spec, {
      use,
      image: isOwn ? output.image.rendition : null,
    });
  }

  async ensureOriginal(
    manager: EntityManager,
    task: TaskRow,
    spec: DownloadSpec,
    use: Use = 'product',
  ): Promise<DownloadRow> {
    return this.findOrInsert(manager, task, null, spec, { use, image: null });
  }

  async ensureConvertedOriginal(manager: EntityManager, task: TaskRow, use: Use = 'product'): Promise<void> {
    if (isImageContentType(task.contentType) && !isDisplayable(task.contentType))
      await this.ensureOriginal(manager, task, ORIGINAL_AS_JPEG, use);
  }

  async waitUntilSettled(id: string, timeoutMs: number): Promise<DownloadRow['status']> {
    const status = await this.notifications.waitFor(id, timeoutMs, async () => {
      const row = await this.repository.find(id);
      return row?.status === 'pending' ? undefined : (row?.status ?? 'failed');
    });
    return status ?? 'pending';
  }

  private async findOrInsert(
    manager: EntityManager,
    task: TaskRow,
    outputRunId: string | null,
    rendition: DownloadSpec,
    { use, image }: Pick<DownloadRow, 'image'> & { readonly use: Use },
  ): Promise<DownloadRow> {
    const isExport = use === 'export';
    const renditionKey = downloadKeyOf(outputRunId, rendition);
    const existing = await this.repository.findUsable(manager, task.id, renditionKey);
    if (existing) {
      if (isExport && !existing.isExport) {
        await this.repository.update(manager, existing.id, { isExport });
        await this.runs.prioritize(manager, existing.id);
      }
      return { ...existing, isExport: isExport || existing.isExport };
    }
    const row: DownloadRow = {
      id: randomUUID(),
      taskId: task.id,
      outputRunId,
      rendition,
      renditionKey,
      isExport,
      status: image ? 'ready' : 'pending',
      image,
      createdAt: new Date(),
    };
    if (!image && use !== 'product') await this.runs.requireDownloadCapacity(manager, task.userId);
    await this.repository.insert(manager, row);
    if (!image) {
      await this.runs.add(manager, renderImage, {
        id: row.id,
        subjectId: task.id,
        userId: task.userId,
        // A request waits for an export.
        priority: isExport ? RUN_PRIORITY.paying : RUN_PRIORITY.free,
      });
    }
    return row;
  }
}
