import { randomUUID } from 'node:crypto';
import {
  DEFAULT_JPEG_QUALITY,
  isDisplayable,
  isImageContentType,
  OUTPUT_MAX_SIDE,
  type RenditionOrder,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RUN_PRIORITY } from '../runs/run.entity.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsService } from '../runs/runs.service.js';
import { renditionKeyOf } from './orders.js';
import { type RenditionRow, RenditionsRepository } from './renditions.repository.js';
import type { TaskOutputRow, TaskRow } from './task.entity.js';

/** For originals that browsers can't show. */
const ORIGINAL_AS_JPEG: RenditionOrder = {
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark: false,
  maxSide: OUTPUT_MAX_SIDE,
};

/** Requested by the user, or needed by the product itself, which does not fail for a user's limit. */
type Use = 'export' | 'conversion' | 'product';

@Injectable()
export class RenditionsService {
  constructor(
    private readonly repository: RenditionsRepository,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
  ) {}

  async listFor(taskIds: readonly string[], manager?: EntityManager): Promise<RenditionRow[]> {
    return taskIds.length === 0 ? [] : this.repository.list(taskIds, manager);
  }

  async ensure(
    manager: EntityManager,
    task: TaskRow,
    output: TaskOutputRow,
    order: RenditionOrder,
    use: Use = 'product',
  ): Promise<RenditionRow> {
    // Reuses the file that the run itself rendered.
    const isOwn = renditionKeyOf(output.runId, output.order) === renditionKeyOf(output.runId, order);
    return this.findOrInsert(manager, task, output.runId, order, {
      use,
      image: isOwn ? output.image.rendition : null,
    });
  }

  async ensureOriginal(
    manager: EntityManager,
    task: TaskRow,
    order: RenditionOrder,
    use: Use = 'product',
  ): Promise<RenditionRow> {
    return this.findOrInsert(manager, task, null, order, { use, image: null });
  }

  async ensureConvertedOriginal(manager: EntityManager, task: TaskRow, use: Use = 'product'): Promise<void> {
    if (isImageContentType(task.contentType) && !isDisplayable(task.contentType))
      await this.ensureOriginal(manager, task, ORIGINAL_AS_JPEG, use);
  }

  async waitUntilSettled(id: string, timeoutMs: number): Promise<RenditionRow['status']> {
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
    rendition: RenditionOrder,
    { use, image }: Pick<RenditionRow, 'image'> & { readonly use: Use },
  ): Promise<RenditionRow> {
    const isExport = use === 'export';
    const renditionKey = renditionKeyOf(outputRunId, rendition);
    const existing = await this.repository.findUsable(manager, task.id, renditionKey);
    if (existing) {
      if (isExport && !existing.isExport) {
        await this.repository.update(manager, existing.id, { isExport });
        await this.runs.prioritize(manager, existing.id);
      }
      return { ...existing, isExport: isExport || existing.isExport };
    }
    const row: RenditionRow = {
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
