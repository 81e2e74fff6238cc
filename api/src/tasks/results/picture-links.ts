import { createHash, randomBytes } from 'node:crypto';
import type { LinkedPicture } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { TaskRow } from '../records/task.entity.js';
import { ExportsService } from './exports.service.js';

/** 128 bits. */
const TOKEN_BYTES = 16;

/** Only the hash is stored; looking it up takes as long for any token, so there is nothing to compare in constant time. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A link that was made just now: the only moment at which its token is known. */
export interface IssuedPictureLink {
  readonly token: string;
  /** When the picture's media are deleted, and the link with them. */
  readonly expiresAt: Date;
}

/**
 * Links from a guest's receipt to the clean file of the paid picture. They work without a session, in any browser, and
 * end with the picture's media: the row goes with the task, be it by expiry, deletion or erasure.
 */
@Injectable()
export class PictureLinks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly exports: ExportsService,
    private readonly presenter: TaskPresenter,
  ) {}

  /** Makes the link of a payment, once. Null when there is one already, or the picture is gone. */
  async issue(manager: EntityManager, taskId: string, paymentId: string): Promise<IssuedPictureLink | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const [task]: { expires_at: Date }[] = await manager.query('SELECT expires_at FROM tasks WHERE id = $1 FOR SHARE', [
      taskId,
    ]);
    if (!task) return null;
    const made: unknown[] = await manager.query(
      `INSERT INTO picture_links (hash, task_id, payment_id, created_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (payment_id) DO NOTHING RETURNING payment_id`,
      [hashOf(token), taskId, paymentId],
    );
    return made.length > 0 ? { token, expiresAt: task.expires_at } : null;
  }

  /**
   * The picture behind a link. The first call makes the clean file, as the owner's own download would.
   * @throws AppError `picture_links.not_found`; `exports.insufficient` when the download was used for another picture
   *   or its payment was refunded; `tasks.wrong_state` while the picture is being made again
   */
  async open(token: string): Promise<LinkedPicture> {
    const known = await this.find(token);
    const task = known.exportedAt ? known : await this.exports.exportPaid(known.userId, known.id);
    const index = task.outputs.findIndex(({ isPreview }) => !isPreview);
    const { result, input } = await this.presenter.task(task);
    const output = result.outputs[index];
    if (!output) throw new AppError('picture_links.not_found');
    const { url, contentType, width, height } = output;
    return { url, fileName: input.fileName, contentType, width, height, expiresAt: task.expiresAt.toISOString() };
  }

  private async find(token: string): Promise<TaskRow> {
    const { manager } = this.database;
    const [link]: { task_id: string }[] = await manager.query(
      `SELECT task_id FROM picture_links l JOIN tasks t ON t.id = l.task_id
       WHERE l.hash = $1 AND t.expires_at > now()`,
      [hashOf(token)],
    );
    const task = link && (await manager.findOneBy(TaskRow, { id: link.task_id }));
    if (!task) throw new AppError('picture_links.not_found');
    return task;
  }
}
