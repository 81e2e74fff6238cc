import { randomBytes } from 'node:crypto';
import { inMilliseconds, isOutputContentType, type LinkedPicture } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../platform/config/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import type { TaskRow } from '../tasks/task.entity.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { DownloadsService } from './downloads.service.js';
import { PictureLinksRepository } from './picture-links.repository.js';

const TOKEN_BYTES = 16;

/** A page asks again. */
const FILE_WAIT_MS = inMilliseconds.seconds(5);

export interface IssuedPictureLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Links from a guest's receipt to the clean picture. Valid without a session, in any browser, until the task is
 * deleted.
 */
@Injectable()
export class PictureLinks {
  constructor(
    private readonly links: PictureLinksRepository,
    private readonly tasks: TasksRepository,
    private readonly downloads: DownloadsService,
    private readonly presenter: TaskPresenter,
  ) {}

  async issue(manager: EntityManager, taskId: string, paymentId: string): Promise<IssuedPictureLink | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = await this.tasks.shareExpiry(manager, taskId);
    if (!expiresAt) return null;
    const isInserted = await this.links.insert(manager, { hash: sha256(token), taskId, paymentId });
    return isInserted ? { token, expiresAt } : null;
  }

  /**
   * Renders the file unless it exists.
   * @throws AppError `picture_links.not_found`; `exports.insufficient` when the download was used for another picture
   * or refunded; `tasks.wrong_state` during reprocessing
   */
  async open(token: string): Promise<LinkedPicture> {
    const { id, userId, exportedAt } = await this.find(token);
    if (!exportedAt) await this.download(userId, id);
    // Paid: clean on every plan.
    const { result, input, isExported, expiresAt } = await this.presenter.get({ role: 'guest', userId }, id);
    const output = result.outputs.find(({ isPreview }) => !isPreview);
    if (!output || !isOutputContentType(output.contentType)) throw new AppError('picture_links.not_found');
    const { url, contentType, width, height } = output;
    // Until the export, the file has a watermark.
    return { url: isExported ? url : null, fileName: input.fileName, contentType, width, height, expiresAt };
  }

  private async download(userId: string, taskId: string): Promise<void> {
    try {
      await this.downloads.downloadPaid(userId, taskId, FILE_WAIT_MS);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service.unavailable')) throw error;
    }
  }

  private async find(token: string): Promise<TaskRow> {
    const taskId = await this.links.findTaskId(sha256(token));
    const task = taskId && (await this.tasks.find(taskId));
    if (!task) throw new AppError('picture_links.not_found');
    return task;
  }
}
