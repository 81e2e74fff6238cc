import {
  type BulkUpload,
  bulkStatusOf,
  extensionOf,
  hasResult,
  type ImageContentType,
  inSeconds,
  isRunning,
  objectKeys,
  type RenderedImage,
  type Task,
  type TaskOutput,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { RunProgress } from '../../runs/model/runs.repository.js';
import { RunsService } from '../../runs/runs.service.js';
import { newestResultOf, type TaskOutputRow, type TaskRow } from '../records/task.entity.js';
import { cleanOrder, isSameDelivery, renditionKeyOf, servedOrder } from '../renditions/orders.js';
import type { RenditionRow } from '../renditions/rendition.entity.js';
import { RenditionsService } from '../renditions/renditions.service.js';

const READ_URL_LIFETIME_SECONDS = inSeconds.hours(1);
const DEFAULT_NAME = 'picture';

/** `IMG_1.HEIC` → `IMG_1-clearframe.jpg`. */
const downloadNameOf = (fileName: string | null, contentType: ImageContentType): string =>
  `${fileName?.replace(/\.[^.]{1,5}$/, '') || DEFAULT_NAME}-clearframe.${extensionOf(contentType)}`;

const PICTURE_NAME = /\.(?:jpe?g|jfif|png|tiff?|webp|psd|hei[cf]|avif)$/i;

/** Only names with an image extension are kept: an upload named `me.html` must not be saved as a page. */
const originalNameOf = ({ fileName, contentType }: TaskRow): string =>
  fileName && PICTURE_NAME.test(fileName) ? fileName : `${fileName ?? DEFAULT_NAME}.${extensionOf(contentType)}`;

/** Converts rows to API resources, with signed URLs and the progress of runs. */
@Injectable()
export class TaskPresenter {
  constructor(
    private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly renditions: RenditionsService,
  ) {}

  async task(row: TaskRow): Promise<Task> {
    const [task] = await this.tasks([row]);
    if (!task) throw new Error(`task ${row.id} was not presented`);
    return task;
  }

  async tasks(rows: readonly TaskRow[]): Promise<Task[]> {
    const [progress, files] = await Promise.all([
      this.runs.progressOf(runsOf(rows), ['images', 'colors']),
      this.renditions.listFor(rows.filter(hasFiles).map(({ id }) => id)),
    ]);
    return Promise.all(
      rows.map((row) => {
        const own = files.filter((file) => file.taskId === row.id && file.status === 'ready');
        return this.present(row, progress, own);
      }),
    );
  }

  async bulkUpload(bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUpload> {
    const taskList = await this.tasks(rows);
    return {
      bulkUploadId,
      status: bulkStatusOf(rows.map(({ status }) => status)),
      taskList,
      inputTaskList: taskList.map(({ taskId, inputUrl, input }) => ({ taskId, inputUrl, input })),
    };
  }

  /** Files and download names of each task's newest result; omits tasks without one. */
  async filesOf(rows: readonly TaskRow[]): Promise<{ key: string; name: string }[]> {
    const files = await this.renditions.listFor(rows.map(({ id }) => id));
    return rows.flatMap((row) => {
      const newest = newestResultOf(row);
      if (!newest) return [];
      const own = files.filter((file) => file.taskId === row.id && file.status === 'ready');
      const { key, contentType } = shownOf(row, newest, own).image;
      return [{ key, name: downloadNameOf(row.fileName, contentType) }];
    });
  }

  private async present(
    row: TaskRow,
    progress: ReadonlyMap<string, RunProgress>,
    files: readonly RenditionRow[],
  ): Promise<Task> {
    const run = row.runId && isRunning(row.status) ? progress.get(row.runId) : undefined;
    const outputs = await Promise.all(row.outputs.map((output) => this.output(row, output, files)));
    const input = row.outputs[0]?.image.input;
    const current = outputs.find(({ isPreview }) => !isPreview) ?? outputs[0];
    return {
      taskId: row.id,
      bulkUploadId: row.bulkUploadId,
      status: row.status,
      progress: hasResult(row.status) ? 1 : (run?.progress ?? 0),
      fileProgress: row.sizeBytes === null ? 0 : 1,
      queueWaitNum: run?.place ?? null,
      remainingSeconds: run?.remainingSeconds ?? null,
      mediaType: 'image',
      aiPipeline: row.aiPipeline,
      keepLocation: false,
      hasWatermark: current?.hasWatermark ?? false,
      inputUrl: await this.inputUrl(row),
      outputUrl: current?.url ?? null,
      outputContentType: row.outputContentType,
      display: { inputUrl: null, outputUrl: null, thumbnailUrl: null, width: null, height: null },
      input: {
        fileName: row.fileName,
        contentType: row.contentType,
        width: input?.width ?? null,
        height: input?.height ?? null,
        sizeBytes: row.sizeBytes,
        convertedImages: await this.converted(
          row,
          files.filter(({ outputRunId }) => outputRunId === null),
        ),
      },
      result: { outputs },
      errorCode: row.errorCode,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    };
  }

  private async output(row: TaskRow, output: TaskOutputRow, files: readonly RenditionRow[]): Promise<TaskOutput> {
    const { faces, recipe } = output.image;
    const shown = shownOf(row, output, files);
    const served = servedOrder(row, output, shown.format);
    const otherFiles = files.filter(
      (file) => file.outputRunId === output.runId && isSameDelivery(file.rendition, served),
    );
    return {
      id: output.runId,
      url: await this.urlOf(row, shown.image),
      contentType: shown.image.contentType,
      width: shown.image.width,
      height: shown.image.height,
      display: null,
      isPreview: output.isPreview,
      hasWatermark: shown.hasWatermark,
      aiPipeline: recipe.aiPipeline,
      convertedImages: await this.converted(row, otherFiles),
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

  private converted(row: TaskRow, files: readonly RenditionRow[]): Promise<TaskOutput['convertedImages']> {
    return Promise.all(
      files.flatMap(({ image }) =>
        image ? [this.urlOf(row, image).then((outputUri) => ({ imageContentType: image.contentType, outputUri }))] : [],
      ),
    );
  }

  private async urlOf(row: TaskRow, { key, contentType }: RenderedImage): Promise<string> {
    return this.store.signRead({
      key,
      contentType,
      fileName: downloadNameOf(row.fileName, contentType),
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }

  /** Null before processing starts and after the original is deleted. */
  private async inputUrl(row: TaskRow): Promise<string | null> {
    if (!isRunning(row.status) && !hasResult(row.status) && row.status !== 'failed') return null;
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

const hasFiles = ({ status }: TaskRow): boolean => isRunning(status) || hasResult(status) || status === 'failed';

/** As last downloaded once paid for, else as first rendered. */
function shownOf(row: TaskRow, output: TaskOutputRow, files: readonly RenditionRow[]) {
  const own = {
    image: output.image.rendition,
    hasWatermark: output.image.rendition.hasWatermark,
    format: output.order,
  };
  if (!row.exportedAt || !row.exportFormat || output.isPreview) return own;
  const key = renditionKeyOf(output.runId, cleanOrder(row.exportFormat));
  const image = files.find(({ renditionKey }) => renditionKey === key)?.image;
  return image ? { image, hasWatermark: false, format: row.exportFormat } : own;
}
