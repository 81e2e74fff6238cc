import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { type PreviewSource, type SharingRow, SharingsRepository } from '../tasks/sharings.repository.js';
import { isVideo, newestResultOf, type TaskOutputRow, type TaskRow, type VideoRow } from '../tasks/task.entity.js';
import { TaskFiles } from '../tasks/task-files.repository.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { UserRoles } from '../users/user-roles.js';

export interface PublicFile {
  readonly key: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface SharedPicture {
  readonly sharing: SharingRow;
  readonly task: TaskRow;
  readonly before: PublicFile;
  readonly after: PublicFile;
  /** First frame of a video's result; null for a picture. */
  readonly poster: PublicFile | null;
  readonly width: number;
  readonly height: number;
  readonly hasWatermark: boolean;
  readonly still: PreviewSource;
}

const RETRY_SECONDS = 5;

/** What a link shows: the task's newest result that is no preview, or the enhanced video. */
@Injectable()
export class SharedPictures {
  constructor(
    private readonly repository: SharingsRepository,
    private readonly tasks: TasksRepository,
    private readonly files: TaskFiles,
    private readonly roles: UserRoles,
    private readonly store: ObjectStore,
  ) {}

  /**
   * @throws AppError `sharings.not_found`, `sharings.expired`; `service.unavailable` while a file for a changed plan is
   * encoded
   */
  async read(id: string): Promise<SharedPicture> {
    const sharing = await this.repository.find(id);
    if (!sharing) throw new AppError('sharings.not_found');
    if (sharing.expiresAt.getTime() <= Date.now()) throw new AppError('sharings.expired');
    const task = sharing.taskId && (await this.tasks.find(sharing.taskId));
    if (!task) throw new AppError('sharings.not_found');
    return isVideo(task) ? this.videoOf(sharing, task) : this.pictureOf(sharing, task);
  }

  private async pictureOf(sharing: SharingRow, task: TaskRow): Promise<SharedPicture> {
    const role = await this.roles.roleOf(task.userId);
    const [found] = role ? await this.files.read(role, { id: task.id }) : [];
    const current = found && newestResultOf(found.task);
    const served = found?.files.outputs.find(({ output }) => output.runId === current?.runId);
    if (!found || !served) throw new AppError('sharings.not_found');
    const before = found.files.display;
    const after = served.display;
    if (!before || !after) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    const { width, height, hasWatermark } = after;
    const still = { beforeKey: before.key, afterKey: after.key, focus: focusOf(served.output) };
    return { sharing, task: found.task, before, after, poster: null, width, height, hasWatermark, still };
  }

  private async videoOf(sharing: SharingRow, task: VideoRow): Promise<SharedPicture> {
    const { probe, result } = task.video;
    if (!probe || !result) throw new AppError('sharings.not_found');
    const { output, displayInputKey, posterKey } = result;
    const [before, poster] = await Promise.all([
      this.fileOf(displayInputKey, 'video/mp4'),
      this.fileOf(posterKey, 'image/jpeg'),
    ]);
    const { width, height } = output;
    const still = { beforeKey: probe.posterKey, afterKey: posterKey, focus: CENTER };
    return { sharing, task, before, after: output, poster, width, height, hasWatermark: false, still };
  }

  private async fileOf(key: string, contentType: string): Promise<PublicFile> {
    const sizeBytes = await this.store.sizeOf(key);
    if (sizeBytes === null) throw new AppError('sharings.not_found');
    return { key, contentType, sizeBytes };
  }
}

const CENTER = { x: 0.5, y: 0.5 } as const;

function focusOf({ image: { faces, master } }: TaskOutputRow): PreviewSource['focus'] {
  const centerOf = (start: 'x' | 'y', length: 'width' | 'height'): number => {
    const centers = faces.map(({ box }) => (box[start] + box[length] / 2) / master[length]);
    const mean = centers.reduce((sum, center) => sum + center, 0) / (centers.length || 1);
    return Math.min(1, Math.max(0, mean));
  };
  return faces.length === 0 ? CENTER : { x: centerOf('x', 'width'), y: centerOf('y', 'height') };
}
