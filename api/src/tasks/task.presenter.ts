import {
  type BulkUpload,
  bulkStatusOf,
  type DisplayImage,
  hasOriginal,
  isRunning,
  isUntouched,
  objectKeys,
  type RenderedImage,
  type Role,
  type StoredImage,
  type Task,
  type TaskOutput,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { ExportRights } from '../billing-accounts/export-rights.js';
import type { RunProgress } from '../runs/runs.repository.js';
import { RunsService } from '../runs/runs.service.js';
import { BulkUploadsRepository } from './bulk-uploads.repository.js';
import { SharingLinks } from './sharings.repository.js';
import {
  type Format,
  hasFinishedFile,
  isVideo,
  newestResultOf,
  numbersOf,
  type TaskOutputRow,
  type TaskRow,
  type VideoRow,
} from './task.entity.js';
import { downloadNameOf, fileFields, originalNameOf, runOf, taskFields, videoNameOf } from './task-fields.js';
import { type ReadOptions, type ServedOutput, type ServedTask, TaskFiles } from './task-files.js';
import { READ_URL_LIFETIME_SECONDS, VideoPresenter } from './video-presenter.js';

type PresentedTask = Omit<Task, 'sharing'>;

export interface ResultFile {
  readonly task: TaskRow;
  readonly name: string;
  /** Key in the object store; null while the file is encoded. */
  readonly key: string | null;
}

@Injectable()
export class TaskPresenter {
  constructor(
    private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly files: TaskFiles,
    private readonly uploads: BulkUploadsRepository,
    private readonly sharings: SharingLinks,
    private readonly videos: VideoPresenter,
    private readonly rights: ExportRights,
  ) {}

  async task(role: Role, row: TaskRow): Promise<Task> {
    const [task] = await this.tasks(role, [row]);
    if (!task) throw new Error(`task ${row.id} was not presented`);
    return task;
  }

  /** @param options by default missing files are requested and briefly awaited */
  async tasks(role: Role, rows: readonly TaskRow[], options?: ReadOptions): Promise<Task[]> {
    const [videos, pictures] = [rows.filter(isVideo), rows.filter((row) => !isVideo(row))];
    const [presentedVideos, presentedPictures, sharings] = await Promise.all([
      this.presentVideos(videos),
      this.presentPictures(role, pictures, options),
      this.sharings.listLive(rows.filter(hasFinishedFile).map(({ id }) => id)),
    ]);
    const byId = new Map([...presentedVideos, ...presentedPictures].map((task) => [task.taskId, task]));
    return rows.flatMap(({ id }) => {
      const task = byId.get(id);
      return task ? [{ ...task, sharing: sharings.get(id) ?? null }] : [];
    });
  }

  private async presentVideos(rows: readonly VideoRow[]): Promise<PresentedTask[]> {
    if (rows.length === 0) return [];
    const progress = await this.videos.progressOf(rows);
    return Promise.all(rows.map((row) => this.videos.task(row, progress)));
  }

  private async presentPictures(role: Role, rows: readonly TaskRow[], options?: ReadOptions): Promise<PresentedTask[]> {
    if (rows.length === 0) return [];
    const [progress, served, sizes, unlocked] = await Promise.all([
      this.runs.progressOf(runsOf(rows), ['images', 'colors']),
      this.files.read(role, rows, options),
      this.uploads.sizesOf(rows.map(({ bulkUploadId }) => bulkUploadId)),
      this.unlockedOf(rows),
    ]);
    return Promise.all(
      served.map(({ task, files }) =>
        this.present(task, progress, files, {
          bulkUploadSize: sizes.get(task.bulkUploadId) ?? 1,
          isUnlocked: unlocked.has(task.id),
        }),
      ),
    );
  }

  /** Those paid for whose file is still to come. */
  private async unlockedOf(rows: readonly TaskRow[]): Promise<ReadonlySet<string>> {
    const payable = rows.filter((row) => row.exportedAt === null && newestResultOf(row));
    return payable.length > 0 ? this.rights.listUnlocked(payable.map(({ id }) => id)) : new Set();
  }

  async bulkUpload(role: Role, bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUpload> {
    const taskList = await this.tasks(role, rows);
    return {
      bulkUploadId,
      status: bulkStatusOf(rows.map(({ status }) => status)),
      taskList,
      inputTaskList: taskList.map(({ taskId, inputUrl, input }) => ({ taskId, inputUrl, input })),
    };
  }

  /** @param format of pictures; absent: the format of each */
  async filesOf(role: Role, rows: readonly TaskRow[], format?: Format): Promise<ResultFile[]> {
    const videos = rows.filter(isVideo).flatMap((task): ResultFile[] => {
      const { result } = task.video;
      return result ? [{ task, key: result.output.key, name: videoNameOf(task) }] : [];
    });
    const pictures = rows.filter((row) => !isVideo(row));
    const all = pictures.length > 0 ? await this.files.read(role, pictures, { waitMs: 0, format }) : [];
    const found = all.flatMap(({ task, files }): ResultFile[] => {
      const served = newestOf(task, files);
      if (!served) return [];
      const { contentType } = served.isFinal && served.image ? served.image : served.spec;
      return [{ task, key: keyOf(served), name: downloadNameOf(task.fileName, contentType) }];
    });
    const byId = new Map([...videos, ...found].map((file) => [file.task.id, file]));
    return rows.flatMap(({ id }) => byId.get(id) ?? []);
  }

  async awaitFile(role: Role, task: TaskRow, waitMs: number, format?: Format): Promise<string | null> {
    const read = async () => {
      const [found] = await this.files.read(role, [task], { requestsMissing: false, format });
      return found && newestOf(task, found.files);
    };
    const served = await read();
    if (served && !served.isFinal) await this.files.encode(task.id, served, waitMs);
    return keyOf(served?.isFinal ? served : await read());
  }

  private async present(
    row: TaskRow,
    progress: ReadonlyMap<string, RunProgress>,
    files: ServedTask,
    { bulkUploadSize, isUnlocked }: { readonly bulkUploadSize: number; readonly isUnlocked: boolean },
  ): Promise<PresentedTask> {
    const numbers = numbersOf(row.outputs);
    const numberOf = ({ runId }: TaskOutputRow) => numbers[row.outputs.findIndex((one) => one.runId === runId)] ?? 1;
    const outputs = await Promise.all(files.outputs.map((served) => this.output(row, served, numberOf(served.output))));
    const input = row.outputs[0]?.image.input;
    const current = outputs.find(({ isPreview }) => !isPreview) ?? outputs[0];
    const original = files.display && (await this.display(row, files.display));
    const shown = current?.display ?? original;
    return {
      ...taskFields(row, runOf(row, progress), isUnlocked),
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

const newestOf = (task: TaskRow, files: ServedTask): ServedOutput | undefined =>
  files.outputs.find(({ output }) => output.runId === newestResultOf(task)?.runId);

const keyOf = (served: ServedOutput | undefined): string | null =>
  served?.isFinal && served.image ? served.image.key : null;

const runsOf = (rows: readonly TaskRow[]): string[] =>
  rows.flatMap(({ status, runId }) => (runId && isRunning(status) ? [runId] : []));

type Size = Pick<StoredImage, 'width' | 'height'>;

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

function fittedSize({ width, height }: Size, maxSide: number | null): Size {
  const factor = Math.min(1, (maxSide ?? Number.POSITIVE_INFINITY) / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}
