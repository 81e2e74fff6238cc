import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DEFAULT_JPEG_QUALITY,
  isDisplayable,
  jobIdOf,
  OUTPUT_MAX_SIDE,
  objectKeys,
  type RenditionOrder,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, LessThan } from 'typeorm';
import { Outbox } from '../../queue/outbox.service.js';
import { type ReadyJob, readyJob } from '../../queue/queues.js';
import type { UnsettledRun } from '../../queue/run-keeper.js';
import { type TaskOutputRow, TaskRow } from '../task.entity.js';
import { renditionKeyOf } from './orders.js';
import { RenditionRow } from './rendition.entity.js';

const LOOK_EVERY_MS = 60;
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
    private readonly outbox: Outbox,
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
   * to have made. The caller holds the task and flushes the outbox afterwards.
   */
  async ensure(
    manager: EntityManager,
    task: TaskRow,
    output: TaskOutputRow,
    order: RenditionOrder,
    isExport = false,
  ): Promise<RenditionRow> {
    const { rendition: own, master } = output.image;
    // What was made first serves as it is where it is what is asked for.
    const isOwn = renditionKeyOf(output.runId, output.order) === renditionKeyOf(output.runId, order);
    return this.insert(manager, task, output.runId, order, {
      isExport,
      image: isOwn ? own : null,
      job: (id) => renderJobOf(task.id, id, master.key, order, output),
    });
  }

  /** A JPEG of an original that browsers can't show; null for one that they can. */
  async ensureOriginal(manager: EntityManager, task: TaskRow): Promise<RenditionRow | null> {
    if (isDisplayable(task.contentType)) return null;
    return this.insert(manager, task, null, ORIGINAL_AS_JPEG, {
      isExport: false,
      image: null,
      job: (id) => renderJobOf(task.id, id, objectKeys.input(task.id), ORIGINAL_AS_JPEG, null),
    });
  }

  /** Waits until a file is there or can't be made. 'pending' when neither has come true in time. */
  async settled(id: string, patienceMs: number): Promise<RenditionRow['status']> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const row = await this.database.manager.findOneBy(RenditionRow, { id });
      const status = row?.status ?? 'failed';
      if (status !== 'pending' || Date.now() > deadline) return status;
      await delay(LOOK_EVERY_MS);
    }
  }

  /** Files that were ordered longer ago than `olderThanMs` and are not there. */
  async unsettled(olderThanMs: number, limit: number): Promise<UnsettledRun[]> {
    const rows = await this.database.manager.find(RenditionRow, {
      where: { status: 'pending', createdAt: LessThan(new Date(Date.now() - olderThanMs)) },
      order: { createdAt: 'ASC' },
      take: limit,
    });
    const tasks = await this.database.manager.findBy(TaskRow, { id: In(rows.map(({ taskId }) => taskId)) });
    return rows.flatMap((row) => {
      const task = tasks.find(({ id }) => id === row.taskId);
      const output = task?.outputs.find(({ runId }) => runId === row.outputRunId) ?? null;
      if (!task || (row.outputRunId && !output)) return [];
      const sourceKey = output?.image.master.key ?? objectKeys.input(task.id);
      const job = renderJobOf(task.id, row.id, sourceKey, row.rendition, output);
      return [{ taskId: task.id, runId: row.id, job }];
    });
  }

  private async insert(
    manager: EntityManager,
    task: TaskRow,
    outputRunId: string | null,
    rendition: RenditionOrder,
    { isExport, image, job }: Pick<RenditionRow, 'isExport' | 'image'> & { job(id: string): ReadyJob },
  ): Promise<RenditionRow> {
    const renditionKey = renditionKeyOf(outputRunId, rendition);
    const there = await manager.findOneBy(RenditionRow, {
      taskId: task.id,
      renditionKey,
      status: In(['pending', 'ready']),
    });
    if (there) {
      // It was on its way for another reason; now a download waits for it.
      if (isExport && !there.isExport) await manager.update(RenditionRow, there.id, { isExport });
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
    if (!image) await this.outbox.add(manager, [job(row.id)]);
    return row;
  }
}

const renderJobOf = (
  taskId: string,
  runId: string,
  sourceKey: string,
  rendition: RenditionOrder,
  output: TaskOutputRow | null,
): ReadyJob =>
  readyJob(renderImage, jobIdOf(runId), {
    taskId,
    runId,
    sourceKey,
    rendition,
    recipe: output?.image.recipe ?? null,
    keepLocation: false,
  });
