import {
  type BulkUpload,
  bulkStatusOf,
  extensionOf,
  hasResult,
  type ImageContentType,
  inSeconds,
  isRunning,
  objectKeys,
  type Task,
  type TaskOutput,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type LiveRun, RunMonitor } from '../queue/run-monitor.js';
import { ObjectStore } from '../storage/object-store.js';
import type { TaskOutputRow, TaskRow } from './task.entity.js';

const READ_URL_LIFETIME_SECONDS = inSeconds.hours(1);
const NAMELESS = 'picture';

/** `IMG_1.HEIC` → `IMG_1-clearframe.jpg`. */
export const downloadNameOf = (fileName: string | null, contentType: ImageContentType): string =>
  `${(fileName ?? NAMELESS).replace(/\.[^.]{1,5}$/, '')}-clearframe.${extensionOf(contentType)}`;

/** Rows as clients see them, with fresh addresses and the queue's latest word. */
@Injectable()
export class TaskPresenter {
  constructor(
    private readonly store: ObjectStore,
    private readonly monitor: RunMonitor,
  ) {}

  async task(row: TaskRow): Promise<Task> {
    const live = await this.monitor.look(runsOf([row]));
    return this.present(row, live);
  }

  async bulkUpload(bulkUploadId: string, rows: readonly TaskRow[]): Promise<BulkUpload> {
    const live = await this.monitor.look(runsOf(rows));
    const taskList = await Promise.all(rows.map((row) => this.present(row, live)));
    return {
      bulkUploadId,
      status: bulkStatusOf(rows.map(({ status }) => status)),
      taskList,
      inputTaskList: taskList.map(({ taskId, inputUrl, input }) => ({ taskId, inputUrl, input })),
    };
  }

  private async present(row: TaskRow, live: ReadonlyMap<string, LiveRun>): Promise<Task> {
    const run = row.runId && isRunning(row.status) ? live.get(row.runId) : undefined;
    const [newest] = row.outputs;
    const outputs = await Promise.all(row.outputs.map((output) => this.output(row, output)));
    return {
      taskId: row.id,
      bulkUploadId: row.bulkUploadId,
      status: row.status,
      progress: hasResult(row.status) ? 1 : (run?.progress ?? 0),
      fileProgress: row.sizeBytes === null ? 0 : 1,
      queueWaitNum: run?.place ?? null,
      mediaType: 'image',
      aiPipeline: row.aiPipeline,
      hasWatermark: newest?.image.rendition.hasWatermark ?? false,
      inputUrl: await this.inputUrl(row),
      outputUrl: outputs[0]?.url ?? null,
      outputContentType: row.outputContentType,
      input: {
        fileName: row.fileName,
        contentType: row.contentType,
        width: newest?.image.input.width ?? null,
        height: newest?.image.input.height ?? null,
        sizeBytes: row.sizeBytes,
        convertedImages: [],
      },
      result: { outputs },
      errorCode: row.errorCode,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    };
  }

  private async output(row: TaskRow, { image }: TaskOutputRow): Promise<TaskOutput> {
    const { rendition, faces, recipe } = image;
    const url = await this.store.signRead({
      key: rendition.key,
      contentType: rendition.contentType,
      fileName: downloadNameOf(row.fileName, rendition.contentType),
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
    return {
      url,
      contentType: rendition.contentType,
      width: rendition.width,
      height: rendition.height,
      aiPipeline: recipe.aiPipeline,
      convertedImages: [],
      faces,
      recipe,
    };
  }

  /** The original's address, once it has been claimed and while it is kept. */
  private async inputUrl(row: TaskRow): Promise<string | null> {
    if (!isRunning(row.status) && !hasResult(row.status) && row.status !== 'failed') return null;
    return this.store.signRead({
      key: objectKeys.input(row.id),
      contentType: row.contentType,
      fileName: row.fileName ?? `${NAMELESS}.${extensionOf(row.contentType)}`,
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }
}

const runsOf = (rows: readonly TaskRow[]): string[] =>
  rows.flatMap(({ status, runId }) => (runId && isRunning(status) ? [runId] : []));
