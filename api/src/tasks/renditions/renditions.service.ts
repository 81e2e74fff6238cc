import { randomUUID } from 'node:crypto';
import {
  DEFAULT_JPEG_QUALITY,
  isDisplayable,
  OUTPUT_MAX_SIDE,
  type RenditionOrder,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { RUN_PRIORITY } from '../../runs/model/run.entity.js';
import { RunsService } from '../../runs/runs.service.js';
import { RunNotifications } from '../../runs/settlement/run-notifications.js';
import type { TaskOutputRow, TaskRow } from '../records/task.entity.js';
import { renditionKeyOf } from './orders.js';
import { RenditionRow } from './rendition.entity.js';

/** What a browser can show of an original it can't. */
const ORIGINAL_AS_JPEG: RenditionOrder = {
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark: false,
  maxSide: OUTPUT_MAX_SIDE,
};

/** Files of results and originals: those that are there, and those that are being made. */
@Injectable()
export class RenditionsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
  ) {}

  /** All that were made or are being made for some tasks, newest first. */
  async listFor(taskIds: readonly string[]): Promise<RenditionRow[]> {
    if (taskIds.length === 0) return [];
    return this.database.manager.find(RenditionRow, {
      where: { taskId: In([...taskIds]), status: In(['pending', 'ready']) },
      order: { createdAt: 'DESC' },
    });
  }

  /**
   * The file of a result in some order: the one that is there or on its way, else one that this transaction decides
   * to have made. The caller holds the task and dispatches `renders` afterwards.
   */
  async ensure(
    manager: EntityManager,
    task: TaskRow,
    output: TaskOutputRow,
    order: RenditionOrder,
    isExport = false,
  ): Promise<RenditionRow> {
    const { rendition: own } = output.image;
    // What was made first serves as it is where it is what is asked for.
    const isOwn = renditionKeyOf(output.runId, output.order) === renditionKeyOf(output.runId, order);
    return this.insert(manager, task, output.runId, order, {
      isExport,
      image: isOwn ? own : null,
    });
  }

  /** A JPEG of an original that browsers can't show; null for one that they can. */
  async ensureOriginal(manager: EntityManager, task: TaskRow): Promise<RenditionRow | null> {
    if (isDisplayable(task.contentType)) return null;
    return this.insert(manager, task, null, ORIGINAL_AS_JPEG, {
      isExport: false,
      image: null,
    });
  }

  /** Waits until a file is there or can't be made. 'pending' when neither has happened within `timeoutMs`. */
  async settled(id: string, timeoutMs: number): Promise<RenditionRow['status']> {
    const status = await this.notifications.waitFor(id, timeoutMs, async () => {
      const row = await this.database.manager.findOneBy(RenditionRow, { id });
      return row?.status === 'pending' ? undefined : (row?.status ?? 'failed');
    });
    return status ?? 'pending';
  }

  private async insert(
    manager: EntityManager,
    task: TaskRow,
    outputRunId: string | null,
    rendition: RenditionOrder,
    { isExport, image }: Pick<RenditionRow, 'isExport' | 'image'>,
  ): Promise<RenditionRow> {
    const renditionKey = renditionKeyOf(outputRunId, rendition);
    const there = await manager.findOneBy(RenditionRow, {
      taskId: task.id,
      renditionKey,
      status: In(['pending', 'ready']),
    });
    if (there) {
      // It was on its way for another reason; now a download waits for it.
      if (isExport && !there.isExport) {
        await manager.update(RenditionRow, there.id, { isExport });
        await this.runs.prioritise(manager, there.id);
      }
      return { ...there, isExport: isExport || there.isExport };
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
    await manager.insert(RenditionRow, row);
    if (!image) {
      await this.runs.add(manager, {
        id: row.id,
        kind: renderImage.name,
        subjectId: task.id,
        userId: task.userId,
        queue: 'renders',
        // A request waits for an export.
        priority: isExport ? RUN_PRIORITY.paying : RUN_PRIORITY.free,
      });
    }
    return row;
  }
}
