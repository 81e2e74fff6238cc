import { randomUUID } from 'node:crypto';
import {
  type JobOutcome,
  type JobPayload,
  objectKeys,
  renderSharePreview,
  type StoredImage,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { RUN_PRIORITY, type RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import { RunsService } from '../runs/runs.service.js';
import { type SharePreview, type SharingRow, SharingsRepository } from '../tasks/sharings.repository.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import type { SharedPicture } from './shared-pictures.js';

type Outcome = JobOutcome<typeof renderSharePreview>;

@Injectable()
@KindOfRun(renderSharePreview)
export class SharePreviewRun implements RunKind<typeof renderSharePreview, SharingRow> {
  constructor(private readonly repository: SharingsRepository) {}

  async payload(
    manager: EntityManager,
    { id, subjectId }: RunRow,
  ): Promise<JobPayload<typeof renderSharePreview> | null> {
    const preview = (await this.repository.findOfPreview(manager, subjectId, id, false))?.preview;
    if (!preview) return null;
    const { beforeKey, afterKey, focus } = preview;
    return { subjectId, runId: id, beforeKey, afterKey, focus };
  }

  lock(manager: EntityManager, { id, subjectId }: RunRow): Promise<SharingRow | null> {
    return this.repository.findOfPreview(manager, subjectId, id, true);
  }

  async settle(manager: EntityManager, _run: RunRow, { id, preview }: SharingRow, outcome: Outcome): Promise<void> {
    if (!preview) return;
    const image = outcome.kind === 'completed' ? outcome.result : null;
    await this.repository.setPreview(manager, id, { ...preview, status: image ? 'ready' : 'failed', image });
  }
}

@Injectable()
export class SharePreviews {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: SharingsRepository,
    private readonly tasks: TasksRepository,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
  ) {}

  imageOf(picture: SharedPicture): StoredImage | null {
    const { preview } = picture.sharing;
    return preview && isOf(preview, picture) ? preview.image : null;
  }

  async request(picture: SharedPicture): Promise<void> {
    const replaced = await this.database.transaction(async (manager) => {
      // Owner and task first: the documented order of locks.
      const task = await this.tasks.lockWithOwner(manager, picture.task.id);
      const sharing = task && (await this.repository.lock(manager, picture.sharing.id));
      if (!sharing) return null;
      if (sharing.preview && isOf(sharing.preview, picture)) return null;
      await this.cancel(manager, sharing);
      const preview: SharePreview = { ...picture.still, runId: randomUUID(), status: 'pending', image: null };
      await this.repository.setPreview(manager, sharing.id, preview);
      await this.runs.add(manager, renderSharePreview, {
        id: preview.runId,
        subjectId: task.id,
        userId: task.userId,
        priority: RUN_PRIORITY.free,
      });
      return sharing;
    });
    if (!replaced) return;
    await this.runs.dispatch('renders');
    await this.deleteFiles(replaced);
  }

  async cancel(manager: EntityManager, { preview }: SharingRow): Promise<void> {
    if (preview?.status === 'pending') await this.runs.cancel(manager, preview.runId);
  }

  async deleteFiles({ taskId, preview }: SharingRow): Promise<void> {
    if (taskId && preview) await this.store.delete(objectKeys.run(taskId, preview.runId));
  }
}

const isOf = (preview: SharePreview, { still }: SharedPicture): boolean =>
  preview.beforeKey === still.beforeKey && preview.afterKey === still.afterKey;
