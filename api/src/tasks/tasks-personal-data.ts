import { inSeconds, type Role, type UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { RunsService } from '../runs/runs.service.js';
import type { DownloadRow } from './download.entity.js';
import { DownloadFiles } from './download-files.repository.js';
import { isVideo, type TaskRow, type VideoState } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TasksRepository } from './tasks.repository.js';
import { TasksService } from './tasks.service.js';

/** Retention of an account's media (decisions, section 3). */
const ACCOUNT_RETENTION_SECONDS = inSeconds.days(30);

@Injectable()
@HoldsPersonalData(['tasks'])
export class TasksPersonalData implements PersonalData<'tasks'> {
  constructor(
    private readonly tasks: TasksService,
    private readonly repository: TasksRepository,
    private readonly downloads: DownloadFiles,
    private readonly presenter: TaskPresenter,
    private readonly runs: RunsService,
  ) {}

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await this.repository.move(manager, from, to, ACCOUNT_RETENTION_SECONDS);
    await this.runs.move(manager, from, to);
  }

  async export(userId: string, role: Role): Promise<Pick<UserExport, 'tasks'>> {
    const rows = await this.repository.listOfUser(userId);
    const tasks = new Map((await this.presenter.tasks(role, { userId })).map((task) => [task.taskId, task]));
    const files = await this.downloads.listFor(rows.map(({ id }) => id));
    const renditions = files.filter(({ rendition }) => !rendition.use).reverse();
    const masks = new Map(
      await Promise.all(rows.map(async (row) => [row.id, await this.presenter.maskUrl(row)] as const)),
    );
    return {
      tasks: rows.map((row) => ({
        ...storedFieldsOf(row),
        mask: row.mask && { ...row.mask, url: masks.get(row.id) ?? null },
        inputUrl: tasks.get(row.id)?.inputUrl ?? null,
        outputs: tasks.get(row.id)?.result.outputs ?? [],
        renditions: renditions.filter(({ taskId }) => taskId === row.id).map(exportedDownload),
      })),
    };
  }

  /** Uploads must stay until their last task and its media are deleted. */
  listRetained(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    return this.repository.uploadersAmong(manager, userIds);
  }

  async erase(userId: string): Promise<void> {
    await this.tasks.deleteAll(userId);
    await this.runs.deleteRunsOfUser(userId);
  }
}

const storedFieldsOf = (row: TaskRow) => ({
  taskId: row.id,
  bulkUploadId: row.bulkUploadId,
  mediaType: row.mediaType,
  video: isVideo(row) ? exportedVideo(row.video) : null,
  status: row.status,
  fileName: row.fileName,
  contentType: row.contentType,
  sizeBytes: row.sizeBytes,
  sha256: row.originalSha256,
  declaredSha256: row.sha256,
  aiPipeline: row.aiPipeline,
  outputContentType: isVideo(row) ? 'video/mp4' : row.outputContentType,
  jpegQuality: row.jpegQuality,
  keepLocation: row.keepLocation,
  outputUpload: row.outputUpload,
  errorCode: row.errorCode,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  exportedAt: row.exportedAt?.toISOString() ?? null,
});

const exportedVideo = ({ limits, declared, probe }: VideoState) => ({
  eligibilityLimits: limits,
  declared,
  width: probe?.width ?? null,
  height: probe?.height ?? null,
  duration: probe?.duration ?? null,
});

const exportedDownload = ({ rendition, isExport, status, createdAt }: DownloadRow) => ({
  contentType: rendition.contentType,
  jpegQuality: rendition.jpegQuality,
  isExport,
  status,
  createdAt: createdAt.toISOString(),
});
