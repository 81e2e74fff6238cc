import { randomUUID } from 'node:crypto';
import {
  DEFAULT_JPEG_QUALITY,
  type DownloadSpec,
  isDisplayable,
  isImageContentType,
  isLargeFile,
  OUTPUT_MAX_SIDE,
  renderImage,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { RUN_PRIORITY, type RunPriority } from '../runs/run.entity.js';
import { RunNotifications } from '../runs/run-notifications.js';
import { RunsService } from '../runs/runs.service.js';
import { UserRoles } from '../users/user-roles.js';
import { DownloadRow } from './download.entity.js';
import { downloadKeyOf, ORIGINAL_DISPLAY } from './download-spec.js';
import type { TaskOutputRow, TaskRow } from './task.entity.js';
import { servedFiles } from './task-files.repository.js';

/** For originals that browsers can't show. */
const ORIGINAL_AS_JPEG: DownloadSpec = {
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark: false,
  maxSide: OUTPUT_MAX_SIDE,
};

/**
 * Requested by the user; or needed by the product itself, which does not fail for a user's limit, now or after the user's
 * other files.
 */
type Use = 'export' | 'conversion' | 'product' | 'background';

const PRIORITIES = {
  // A request waits for it.
  export: RUN_PRIORITY.paying,
  conversion: RUN_PRIORITY.free,
  product: RUN_PRIORITY.free,
  background: RUN_PRIORITY.background,
} as const satisfies Record<Use, RunPriority>;

interface Size {
  readonly width: number;
  readonly height: number;
}

const USABLE: readonly DownloadRow['status'][] = ['pending', 'ready'];

@Injectable()
export class DownloadFiles {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly runs: RunsService,
    private readonly notifications: RunNotifications,
    private readonly roles: UserRoles,
  ) {}

  find(id: string, manager: EntityManager = this.database.manager): Promise<DownloadRow | null> {
    return manager.findOneBy(DownloadRow, { id });
  }

  async downloadedResults(manager: EntityManager, taskId: string): Promise<ReadonlySet<string>> {
    const rows = await manager.findBy(DownloadRow, { taskId, isExport: true, status: In([...USABLE]) });
    return new Set(rows.flatMap(({ outputRunId }) => outputRunId ?? []));
  }

  async delete(id: string): Promise<void> {
    await this.database.manager.delete(DownloadRow, id);
  }

  async update(manager: EntityManager, id: string, change: Partial<DownloadRow>): Promise<void> {
    await manager.update(DownloadRow, id, change);
  }

  async listFor(taskIds: readonly string[], manager: EntityManager = this.database.manager): Promise<DownloadRow[]> {
    if (taskIds.length === 0) return [];
    return manager.find(DownloadRow, { where: { taskId: In([...taskIds]) }, order: { createdAt: 'DESC' } });
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
      source: output.image.master,
    });
  }

  async ensureOriginal(
    manager: EntityManager,
    task: TaskRow,
    spec: DownloadSpec,
    use: Use = 'product',
  ): Promise<DownloadRow> {
    return this.findOrInsert(manager, task, null, spec, { use, image: null, source: task.outputs[0]?.image.input });
  }

  async ensureConvertedOriginal(manager: EntityManager, task: TaskRow, use: Use = 'product'): Promise<void> {
    if (isImageContentType(task.contentType) && !isDisplayable(task.contentType))
      await this.ensureOriginal(manager, task, ORIGINAL_AS_JPEG, use);
  }

  /**
   * Orders the files that the owner's rights call for and that don't exist. The caller holds the task.
   * @returns their number
   */
  async orderMissing(manager: EntityManager, task: TaskRow, use: Use = 'product'): Promise<number> {
    const role = await this.roles.roleOf(task.userId, manager);
    if (!role) return 0;
    const { lacksDisplay, outputs } = servedFiles(role, task, await this.listFor([task.id], manager));
    if (lacksDisplay) await this.ensureOriginal(manager, task, ORIGINAL_DISPLAY, use);
    for (const { output, missing } of outputs)
      for (const spec of missing) await this.ensure(manager, task, output, spec, use);
    return outputs.reduce((sum, { missing }) => sum + missing.length, lacksDisplay ? 1 : 0);
  }

  async waitUntilSettled(id: string, timeoutMs: number): Promise<DownloadRow['status']> {
    const status = await this.notifications.waitFor(id, timeoutMs, async () => {
      const row = await this.find(id);
      return row?.status === 'pending' ? undefined : (row?.status ?? 'failed');
    });
    return status ?? 'pending';
  }

  private async findOrInsert(
    manager: EntityManager,
    task: TaskRow,
    outputRunId: string | null,
    rendition: DownloadSpec,
    { use, image, source }: Pick<DownloadRow, 'image'> & { readonly use: Use; readonly source: Size | undefined },
  ): Promise<DownloadRow> {
    const isExport = use === 'export';
    const renditionKey = downloadKeyOf(outputRunId, rendition);
    const existing = await manager.findOneBy(DownloadRow, { taskId: task.id, renditionKey, status: In([...USABLE]) });
    if (existing) {
      if (isExport && !existing.isExport) {
        await this.update(manager, existing.id, { isExport });
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
    const isRequested = isExport || use === 'conversion';
    if (!image && isRequested) await this.runs.requireDownloadCapacity(manager, task.userId);
    await manager.insert(DownloadRow, row);
    if (!image) {
      await this.runs.add(manager, renderImage, {
        id: row.id,
        subjectId: task.id,
        userId: task.userId,
        weight: source && isLargeFile(source, rendition) ? 'large' : 'usual',
        priority: PRIORITIES[use],
      });
    }
    return row;
  }
}
