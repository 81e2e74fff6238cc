import { randomBytes } from 'node:crypto';
import { inMilliseconds, SHARING_DAYS, type SharedFile, type Sharing, type TaskSharing } from '@clearframe/contract';
import { contentDispositionOf, ObjectMissingError, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import {
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  type PeriodicWork,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import type { Caller } from '../sessions/caller.js';
import { SharingLinks, type SharingRow, SharingsRepository } from '../tasks/sharings.repository.js';
import { hasFinishedFile, isVideo, wrongState } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { SharePreviews } from './share-previews.js';
import { type PublicFile, type SharedPicture, SharedPictures } from './shared-pictures.js';

const ID_BYTES = 16;
const LIFETIME_MS = inMilliseconds.days(SHARING_DAYS);
/** Media outlive the link, so that retention expires the link before it deletes the task. */
const MEDIA_MARGIN_MS = inMilliseconds.hours(1);

/** Days for which an expired link answers that it has expired. */
const REMEMBERED_DAYS = 90;
const RETENTION_EVERY_MS = inMilliseconds.minutes(10);

/** Anyone sees both sides and nothing else of the owner. */
@Injectable()
@HoldsPersonalData(['sharings'])
@SchedulesWork()
export class SharingsService implements PersonalData<'sharings'>, WorkSource {
  readonly scheduledWork: readonly (DueWork | PeriodicWork)[] = [
    {
      kind: 'retention.sharings',
      everyMs: RETENTION_EVERY_MS,
      timeoutMs: inMilliseconds.minutes(1),
      maxAttempts: 20,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
      due: () => ({
        table: 'sharings',
        subject: 'id',
        where: 'expires_at < now() AND task_id IS NOT NULL',
        orderBy: 'expires_at',
      }),
      run: (id: string) => this.expire(id),
    },
    {
      kind: 'sharings.preview',
      // Sites that unfurl a link ask once, some seconds after it was made.
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: inMilliseconds.minutes(1),
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      due: () => ({
        table: 'sharings',
        subject: 'id',
        where: 'preview_due_at <= now()',
        orderBy: 'preview_due_at',
      }),
      run: (id: string) => this.renewPreview(id),
    },
    {
      kind: 'retention.expired-sharings',
      everyMs: RETENTION_EVERY_MS,
      timeoutMs: RETENTION_EVERY_MS,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => this.repository.deleteDetached(REMEMBERED_DAYS),
    },
  ];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: SharingsRepository,
    private readonly links: SharingLinks,
    private readonly tasks: TasksRepository,
    private readonly pictures: SharedPictures,
    private readonly previews: SharePreviews,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Returns the task's live link, created if there is none. Its media are kept as long.
   * @throws AppError `tasks.not_found`; `tasks.wrong_state` without a finished result
   */
  async share(caller: Caller, taskId: string): Promise<{ sharing: TaskSharing; isNew: boolean }> {
    const { row, isNew } = await this.database.transaction(async (manager) => {
      const task = await this.tasks.lockOwn(manager, caller, taskId);
      if (!hasFinishedFile(task)) throw wrongState(task);
      const live = await this.repository.findLive(task.id, manager);
      if (live) return { row: live, isNew: false };
      const created = newSharing(task.id);
      await this.repository.insert(manager, created);
      await this.repository.markPreviewDue(manager, [task.id]);
      await this.tasks.extendExpiryTo(manager, task.id, new Date(created.expiresAt.getTime() + MEDIA_MARGIN_MS));
      return { row: created, isNew: true };
    });
    return { sharing: this.links.present(row), isNew };
  }

  private async renewPreview(id: string): Promise<void> {
    const due = await this.repository.previewDueAt(id);
    try {
      await this.previews.request(await this.pictures.read(id));
    } catch (error) {
      // The link has ended, or shows a file that is to come, which marks it again.
      if (!(error instanceof AppError)) throw error;
    }
    await this.repository.clearPreviewDue(id, due);
  }

  async get(id: string): Promise<Sharing> {
    const picture = await this.pictures.read(id);
    const { sharing, task, poster, width, height, hasWatermark } = picture;
    const preview = this.previews.imageOf(picture);
    return {
      sharingId: sharing.id,
      mediaType: task.mediaType,
      inputUrl: this.links.fileUrl(sharing, 'input'),
      outputUrl: this.links.fileUrl(sharing, 'output'),
      posterUrl: poster && this.links.fileUrl(sharing, 'poster'),
      previewUrl: preview && this.links.fileUrl(sharing, 'preview'),
      frameRate: (isVideo(task) && task.video.probe?.frameRate) || null,
      hasWatermark,
      width,
      height,
      expiresAt: sharing.expiresAt.toISOString(),
    };
  }

  /**
   * A file of a link. The link is looked up for every request, so that a revoked one ends at once with any object store.
   * @param rangeHeader of the request: players ask for parts
   * @throws AppError as {@link SharedPictures.read}; `media.range_invalid`
   */
  async openFile(id: string, file: SharedFile, { isDownload, rangeHeader }: FileRequest): Promise<SharedStream> {
    const picture = await this.pictures.read(id);
    const found = this.fileOf(picture, file);
    if (!found) throw new AppError('sharings.not_found');
    const { key, contentType, sizeBytes } = found;
    const range = rangeIn(rangeHeader, sizeBytes);
    const stream = await this.store.read(key, range ?? undefined).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new AppError('sharings.not_found') : error;
    });
    const name = `${FILE_NAMES[file]}.${EXTENSIONS[contentType] ?? 'jpg'}`;
    const disposition = contentDispositionOf(isDownload ? 'attachment' : 'inline', name);
    const length = range ? range.end - range.start + 1 : sizeBytes;
    return {
      body: new StreamableFile(stream, { type: contentType, length, disposition }),
      contentRange: range && `bytes ${range.start}-${range.end}/${sizeBytes}`,
    };
  }

  async revoke({ userId }: Caller, id: string): Promise<void> {
    const row = await this.database.transaction(async (manager) => {
      const sharing = await this.repository.lockOwn(manager, userId, id);
      if (!sharing) throw new AppError('sharings.not_found');
      await this.previews.cancel(manager, sharing);
      await this.repository.delete(manager, id);
      return sharing;
    });
    await this.previews.deleteFiles(row);
  }

  private async expire(id: string): Promise<void> {
    const row = await this.repository.find(id);
    if (!row || row.expiresAt.getTime() > Date.now()) return;
    await this.database.transaction((manager) => this.previews.cancel(manager, row));
    await this.previews.deleteFiles(row);
    await this.repository.detach(id);
  }

  /** Links belong to tasks. */
  async move(): Promise<void> {}

  async export(userId: string): Promise<Pick<ExportedData, 'sharings'>> {
    const rows = await this.repository.listOfUser(userId);
    return {
      sharings: rows.flatMap((row) => {
        const { url, expiresAt } = this.links.present(row);
        return row.taskId ? [{ taskId: row.taskId, url, createdAt: row.createdAt.toISOString(), expiresAt }] : [];
      }),
    };
  }

  /** Links created during the erasure are deleted with their tasks. */
  async erase(userId: string): Promise<void> {
    for (const row of await this.repository.listOfUser(userId)) {
      await this.database.transaction(async (manager) => {
        await this.previews.cancel(manager, row);
        await this.repository.delete(manager, row.id);
      });
      await this.previews.deleteFiles(row);
    }
  }

  private fileOf(picture: SharedPicture, file: SharedFile): PublicFile | null {
    if (file === 'preview') return this.previews.imageOf(picture);
    if (file === 'poster') return picture.poster;
    return file === 'input' ? picture.before : picture.after;
  }
}

interface FileRequest {
  readonly isDownload: boolean;
  readonly rangeHeader: string | undefined;
}

interface SharedStream {
  readonly body: StreamableFile;
  readonly contentRange: string | null;
}

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/webp': 'webp', 'video/mp4': 'mp4' };

/** Nothing of the owner: not the name of the uploaded file. */
const FILE_NAMES: Readonly<Record<SharedFile, string>> = {
  input: 'clearframe-before',
  output: 'clearframe',
  poster: 'clearframe',
  preview: 'clearframe-before-after',
};

function newSharing(taskId: string): SharingRow {
  const createdAt = new Date();
  return {
    id: randomBytes(ID_BYTES).toString('base64url'),
    taskId,
    preview: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
  };
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Bytes of a Range header, both bounds included (RFC 9110, section 14). Null for the whole file: without the header,
 * and for several ranges or another unit, which a server may ignore.
 * @throws AppError `media.range_invalid` when no byte of it exists
 */
function rangeIn(header: string | undefined, sizeBytes: number): { start: number; end: number } | null {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  // An invalid range is ignored, one beyond the end is refused.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start > end) throw new AppError('media.range_invalid', { fileBytes: sizeBytes });
  return { start, end };
}
