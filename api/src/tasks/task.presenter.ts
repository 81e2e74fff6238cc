import {
  type BulkUpload,
  bulkStatusOf,
  type DisplayImage,
  hasOriginal,
  isRunning,
  isUntouched,
  MAX_FILES_PER_UPLOAD,
  objectKeys,
  type PictureContentType,
  type RenderedImage,
  type Role,
  type StoredImage,
  type Task,
  type TaskOutput,
  type VideoContentType,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { type RunProgress, RunRankings } from '../runs/run-progress.repository.js';
import type { Caller } from '../sessions/caller.js';
import { SharingLinks } from './sharings.repository.js';
import {
  type Format,
  hasFinishedFile,
  isVideo,
  newestResultOf,
  numbersOf,
  type TaskOutputRow,
  type TaskRow,
} from './task.entity.js';
import { downloadNameOf, fileFields, originalNameOf, runOf, taskFields, videoNameOf } from './task-fields.js';
import { type ServedOutput, TaskFiles, type TaskFilter, type TaskWithFiles } from './task-files.repository.js';
import { ownedBy, type TaskOwner, TasksRepository } from './tasks.repository.js';
import { READ_URL_LIFETIME_SECONDS, VideoPresenter } from './video-presenter.js';

type PresentedTask = Omit<Task, 'sharing'>;

export interface ResultFile {
  readonly task: TaskRow;
  readonly name: string;
  readonly contentType: PictureContentType | VideoContentType;
  /** Key in the object store; null while the file is encoded. */
  readonly key: string | null;
  /** In pixels; null while the file is encoded. */
  readonly size: Size | null;
  /** 0 while the file is encoded. */
  readonly sizeBytes: number;
}

@Injectable()
export class TaskPresenter {
  constructor(
    private readonly store: ObjectStore,
    private readonly runs: RunRankings,
    private readonly files: TaskFiles,
    private readonly sharings: SharingLinks,
    private readonly videos: VideoPresenter,
    private readonly repository: TasksRepository,
  ) {}

  /** @throws AppError `tasks.not_found` */
  async get({ role, ...owner }: Pick<Caller, 'role'> & TaskOwner, taskId: string): Promise<Task> {
    const [task] = await this.tasks(role, { id: taskId, ...ownedBy(owner) });
    if (!task) throw new AppError('tasks.not_found');
    return task;
  }

  async tasks(role: Role, filter: TaskFilter): Promise<Task[]> {
    const found = await this.files.read(role, filter);
    const rows = found.map(({ task }) => task);
    const videos = rows.filter(isVideo);
    const [pictureProgress, videoProgress] = await Promise.all([
      this.runs.progressOf(runsOf(rows.filter((row) => !isVideo(row))), ['images', 'colors', 'large']),
      this.videos.progressOf(videos),
    ]);
    return Promise.all(
      found.map(async (one) => {
        const { task, sharing } = one;
        const presented = isVideo(task)
          ? await this.videos.task(task, videoProgress)
          : await this.present(one, pictureProgress);
        return { ...presented, sharing: sharing && hasFinishedFile(task) ? this.sharings.present(sharing) : null };
      }),
    );
  }

  /**
   * @param taskIds all that is shown of an upload larger than those of pages, whose size would make a call for each of its
   * pictures slow
   * @throws AppError `bulk_uploads.not_found` for one without tasks
   */
  async bulkUpload(role: Role, bulkUploadId: string, taskIds?: readonly string[]): Promise<BulkUpload> {
    const counts = taskIds && (await this.repository.countByStatus(bulkUploadId));
    const isPart = counts && [...counts.values()].reduce((sum, count) => sum + count, 0) > MAX_FILES_PER_UPLOAD;
    const taskList = await this.tasks(role, { bulkUploadId, ...(isPart && { id: taskIds }) });
    if (taskList.length === 0) throw new AppError('bulk_uploads.not_found');
    return {
      bulkUploadId,
      status: bulkStatusOf(isPart ? [...counts.keys()] : taskList.map(({ status }) => status)),
      taskList,
      inputTaskList: taskList.map(({ taskId, inputUrl, input }) => ({ taskId, inputUrl, input })),
    };
  }

  /** @param format of pictures; absent: the format of each */
  async filesOf(role: Role, filter: TaskFilter, format?: Format): Promise<ResultFile[]> {
    const found = await this.files.read(role, filter, format);
    return found.flatMap(({ task, files }): ResultFile[] => {
      if (isVideo(task)) {
        const { result } = task.video;
        if (!result) return [];
        const { key, contentType, sizeBytes } = result.output;
        return [{ task, key, size: result.output, sizeBytes, name: videoNameOf(task), contentType }];
      }
      const newest = newestResultOf(task);
      const served = files.outputs.find(({ output }) => output === newest);
      if (!served) return [];
      const file = served.isFinal ? served.image : null;
      const { contentType } = file ?? served.spec;
      const name = downloadNameOf(task.fileName, contentType);
      return [{ task, key: file?.key ?? null, size: file, sizeBytes: file?.sizeBytes ?? 0, name, contentType }];
    });
  }

  private async present(
    { task: row, files, bulkUploadSize, isUnlocked }: TaskWithFiles,
    progress: ReadonlyMap<string, RunProgress>,
  ): Promise<PresentedTask> {
    const numbers = numbersOf(row.outputs);
    const numberOf = ({ runId }: TaskOutputRow) => numbers[row.outputs.findIndex((one) => one.runId === runId)] ?? 1;
    const outputs = await Promise.all(files.outputs.map((served) => this.output(row, served, numberOf(served.output))));
    const input = row.outputs[0]?.image.input;
    const current = outputs.find(({ isPreview }) => !isPreview) ?? outputs[0];
    const original = files.display && (await this.display(row, files.display));
    const shown = current?.display ?? original;
    return {
      ...taskFields(row, runOf(row, progress), isUnlocked && newestResultOf(row) !== undefined),
      bulkUploadSize,
      mediaType: 'image',
      keepLocation: row.keepLocation,
      hasWatermark: current?.hasWatermark ?? false,
      inputUrl: await this.inputUrl(row),
      outputUrl: current?.url ?? null,
      outputContentType: row.outputContentType,
      display: {
        inputUrl: original?.url ?? null,
        inputMediumUrl: original?.mediumUrl ?? null,
        outputUrl: current?.display?.url ?? null,
        thumbnailUrl: shown?.thumbnailUrl ?? null,
        inputThumbnailUrl: original?.thumbnailUrl ?? null,
        width: shown?.width ?? null,
        height: shown?.height ?? null,
      },
      input: {
        ...fileFields(row),
        contentType: row.contentType,
        width: input?.width ?? null,
        height: input?.height ?? null,
        duration: null,
        convertedImages: await this.converted(row, files.converted),
      },
      result: { outputs },
    };
  }

  private async output(
    row: TaskRow,
    { output, spec, image, isEncoding, display, converted }: ServedOutput,
    number: number,
  ): Promise<TaskOutput> {
    const { faces, recipe } = output.image;
    return {
      id: output.runId,
      number,
      url: image && (await this.urlOf(row, image)),
      contentType: image?.contentType ?? spec.contentType,
      ...(image ? sizeOf(image) : fittedSize(output.image.master, spec.maxSide)),
      fullSize: { ...sizeOf(output.image.master), sizeBytes: output.image.master.sizeBytes },
      display: display && (await this.display(row, display)),
      isPreview: output.isPreview,
      isUntouched: isUntouched(recipe),
      hasWatermark: image?.hasWatermark ?? spec.watermark,
      isEncoding,
      keepLocation: output.keepLocation ?? false,
      aiPipeline: recipe.aiPipeline,
      convertedImages: await this.converted(row, converted),
      faces: faces.map((face) => ({ ...face, restored: face.restored ?? face.identitySimilarity !== null })),
      recipe,
      changes: await this.changes(output),
    };
  }

  private async changes({ image: { changes } }: TaskOutputRow): Promise<TaskOutput['changes']> {
    if (!changes) return null;
    const { key, width, height } = changes;
    const grant = { key, contentType: 'image/webp', fileName: 'changes.webp' };
    const url = await this.store.signRead({ ...grant, expiresInSeconds: READ_URL_LIFETIME_SECONDS });
    return { url, width, height };
  }

  private async display(row: TaskRow, { medium, thumbnail, ...image }: RenderedImage): Promise<DisplayImage> {
    const [url, mediumUrl, thumbnailUrl] = await Promise.all([
      this.urlOf(row, image),
      medium ? this.urlOf(row, medium) : null,
      this.urlOf(row, thumbnail ?? image),
    ]);
    return { url, mediumUrl, thumbnailUrl, ...sizeOf(image) };
  }

  private converted(row: TaskRow, images: readonly RenderedImage[]): Promise<TaskOutput['convertedImages']> {
    return Promise.all(
      images.map(async (image) => ({
        imageContentType: image.contentType,
        outputUri: await this.urlOf(row, image),
      })),
    );
  }

  private async urlOf(row: TaskRow, { key, contentType }: Pick<StoredImage, 'key' | 'contentType'>): Promise<string> {
    return this.store.signRead({
      key,
      contentType,
      fileName: downloadNameOf(row.fileName, contentType),
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }

  /** Null without a mask, and once it is deleted. */
  async maskUrl({ id, mask, status }: TaskRow): Promise<string | null> {
    if (!mask || !hasOriginal(status)) return null;
    return this.store.signRead({
      key: objectKeys.mask(id),
      contentType: 'image/png',
      fileName: 'mask.png',
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }

  private async inputUrl(row: TaskRow): Promise<string | null> {
    if (!hasOriginal(row.status)) return null;
    return this.store.signRead({
      key: objectKeys.input(row.id),
      contentType: row.contentType,
      fileName: originalNameOf(row),
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }
}

const runsOf = (rows: readonly TaskRow[]): string[] =>
  rows.flatMap(({ status, runId }) => (runId && isRunning(status) ? [runId] : []));

type Size = Pick<StoredImage, 'width' | 'height'>;

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

function fittedSize({ width, height }: Size, maxSide: number | null): Size {
  const factor = Math.min(1, (maxSide ?? Number.POSITIVE_INFINITY) / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}
