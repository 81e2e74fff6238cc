import {
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  type DownloadSpec,
  defaultFormatOf,
  hasOriginal,
  hasResult,
  inMilliseconds,
  isUntouched,
  type RenderedImage,
  type Role,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { RunsService } from '../runs/runs.service.js';
import { DownloadFiles } from './download-files.js';
import {
  cleanSpec,
  displaySpec,
  downloadKeyOf,
  isSameDelivery,
  ORIGINAL_DISPLAY,
  servedSpec,
} from './download-spec.js';
import type { DownloadRow } from './downloads.repository.js';
import { currentOf, type Format, type TaskOutputRow, type TaskRow } from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';

/** A failed file is requested again after this time. */
const RETRY_AFTER_MS = inMilliseconds.minutes(5);

export interface ServedOutput {
  readonly output: TaskOutputRow;
  readonly spec: DownloadSpec;
  /** File of `spec`; until it is encoded one that shows less, or null. */
  readonly image: RenderedImage | null;
  readonly isFinal: boolean;
  /** A file or its display file is to come. */
  readonly isEncoding: boolean;
  readonly display: RenderedImage | null;
  readonly converted: readonly RenderedImage[];
  readonly missing: readonly DownloadSpec[];
}

export interface ServedTask {
  readonly display: RenderedImage | null;
  readonly converted: readonly RenderedImage[];
  readonly lacksDisplay: boolean;
  readonly outputs: readonly ServedOutput[];
}

interface KnownFile {
  readonly spec: DownloadSpec;
  readonly image: RenderedImage;
}

/** @param format of results; absent: the format of each */
function servedFiles(role: Role, task: TaskRow, files: readonly DownloadRow[], format?: Format): ServedTask {
  const ofOriginal = files.filter(({ outputRunId }) => outputRunId === null);
  const display = findRow(ofOriginal, null, ORIGINAL_DISPLAY);
  return {
    display: hasOriginal(task.status) ? (display?.image ?? null) : null,
    converted: readyOf(ofOriginal).flatMap(({ spec, image }) => (spec.use ? [] : [image])),
    lacksDisplay: hasOriginal(task.status) && !display,
    outputs: task.outputs.map((output) =>
      servedOutput(
        role,
        task,
        output,
        files.filter(({ outputRunId }) => outputRunId === output.runId),
        format,
      ),
    ),
  };
}

function servedOutput(
  role: Role,
  task: TaskRow,
  output: TaskOutputRow,
  files: readonly DownloadRow[],
  format: Format = formatOf(role, task, output, files),
): ServedOutput {
  const spec = servedSpec(role, task, output, format);
  const known = [...ownFiles(output), ...readyOf(files)];
  const display = displaySpec(spec);
  const lacking = [spec, display].filter((wanted) => !known.some((file) => isSame(output, file.spec, wanted)));
  const rowOf = (wanted: DownloadSpec) => findRow(files, output.runId, wanted);
  return {
    output,
    spec,
    image: pick(known, output, spec),
    isFinal: !lacking.includes(spec),
    isEncoding: lacking.some((wanted) => rowOf(wanted)?.status !== 'failed'),
    display: pick(known, output, display),
    converted: readyOf(files).flatMap((file) => (isSameDelivery(file.spec, spec) ? [file.image] : [])),
    missing: lacking.filter((wanted) => !rowOf(wanted)),
  };
}

function formatOf(role: Role, task: TaskRow, output: TaskOutputRow, files: readonly DownloadRow[]): Format {
  if (isDelivered(task, output) && task.exportFormat && !output.isPreview) {
    const downloaded = findRow(files, output.runId, cleanSpec(task.exportFormat));
    if (downloaded?.image) return task.exportFormat;
  }
  const { contentType, jpegQuality } = output.order;
  const isAllowed = output.isPreview || task.exportedAt || ALLOWANCES[role].formats.includes(contentType);
  return isAllowed
    ? { contentType, jpegQuality }
    : { contentType: defaultFormatOf(role), jpegQuality: DEFAULT_JPEG_QUALITY };
}

/** Paid for, or free of charge. */
const isDelivered = ({ exportedAt }: TaskRow, { image }: TaskOutputRow): boolean =>
  exportedAt !== null || isUntouched(image.recipe);

function ownFiles({ order: spec, image }: TaskOutputRow): KnownFile[] {
  const display = image.display ? [{ spec: displaySpec(spec), image: image.display }] : [];
  return [{ spec, image: image.rendition }, ...display];
}

const readyOf = (files: readonly DownloadRow[]): KnownFile[] =>
  files.flatMap(({ rendition: spec, image }) => (image ? [{ spec, image }] : []));

function findRow(files: readonly DownloadRow[], runId: string | null, spec: DownloadSpec): DownloadRow | undefined {
  const key = downloadKeyOf(runId, spec);
  const rows = files.filter(({ renditionKey }) => renditionKey === key);
  const retriedBefore = Date.now() - RETRY_AFTER_MS;
  return (
    rows.find(({ status }) => status !== 'failed') ?? rows.find(({ createdAt }) => createdAt.getTime() > retriedBefore)
  );
}

/** The file of a spec, else the best one that may be shown until it is encoded. */
function pick(known: readonly KnownFile[], output: TaskOutputRow, wanted: DownloadSpec): RenderedImage | null {
  const exact = known.find((file) => isSame(output, file.spec, wanted));
  if (exact) return exact.image;
  const maxSide = wanted.maxSide ?? Number.POSITIVE_INFINITY;
  const isClean = ({ spec, image }: KnownFile): boolean =>
    !spec.watermark && !wanted.watermark && Math.max(image.width, image.height) <= maxSide;
  const usable = known.filter(({ spec }) => spec.use === wanted.use);
  // Every plan may have the watermarked file.
  return (usable.find(isClean) ?? usable.find(({ spec }) => spec.watermark))?.image ?? null;
}

const isSame = ({ runId, image }: TaskOutputRow, one: DownloadSpec, other: DownloadSpec): boolean => {
  const side = Math.max(image.master.width, image.master.height);
  const keyOf = (spec: DownloadSpec) =>
    // A limit above the picture's size changes nothing.
    downloadKeyOf(runId, { ...spec, maxSide: spec.maxSide !== null && spec.maxSide < side ? spec.maxSide : null });
  return keyOf(one) === keyOf(other);
};

/** A read waits this long for files that it requests: one takes well under a second. */
const READ_WAIT_MS = inMilliseconds.seconds(3);

export interface ReadOptions {
  readonly requestsMissing?: boolean;
  readonly waitMs?: number;
  /** Of results; absent: the format of each. */
  readonly format?: Format | undefined;
}

interface TaskWithFiles {
  readonly task: TaskRow;
  readonly files: ServedTask;
}

@Injectable()
export class TaskFiles {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly downloads: DownloadFiles,
    private readonly runs: RunsService,
  ) {}

  /**
   * Requests files that are missing after a change of plan or in tasks of older versions, and waits for those of finished tasks.
   * With several tasks, creates missing files of the current result only. One query when nothing is missing.
   */
  async read(
    role: Role,
    rows: readonly TaskRow[],
    { requestsMissing = true, waitMs = READ_WAIT_MS, format }: ReadOptions = {},
  ): Promise<TaskWithFiles[]> {
    const found = await this.list(role, rows, format);
    const lacking = found.filter((row) => row.files.lacksDisplay || outputsToFill(row, rows.length).length > 0);
    if (lacking.length === 0 || !requestsMissing) return found;
    const ids = lacking.map(({ task }) => task.id);
    const awaited = await this.request(role, ids, rows.length, format);
    if (awaited.length === 0) return found;
    await Promise.all(awaited.map((id) => this.downloads.waitUntilSettled(id, waitMs)));
    return this.list(role, rows, format);
  }

  async encode(taskId: string, { output, spec }: ServedOutput, waitMs: number): Promise<void> {
    const file = await this.database.transaction(async (manager) => {
      const task = await this.tasks.lock(manager, taskId);
      return task && this.downloads.ensure(manager, task, output, spec);
    });
    await this.runs.dispatch('renders');
    if (file) await this.downloads.waitUntilSettled(file.id, waitMs);
  }

  private async list(
    role: Role,
    rows: readonly TaskRow[],
    format: Format | undefined,
    manager: EntityManager = this.database.manager,
  ): Promise<TaskWithFiles[]> {
    const files = await this.downloads.listFor(
      rows.map(({ id }) => id),
      manager,
    );
    return rows.map((task) => {
      const own = files.filter(({ taskId }) => taskId === task.id);
      return { task, files: servedFiles(role, task, own, format) };
    });
  }

  private async request(
    role: Role,
    taskIds: readonly string[],
    taskCount: number,
    format: Format | undefined,
  ): Promise<string[]> {
    const awaited = await this.database.transaction(async (manager) => {
      const ids: string[] = [];
      for (const row of await this.list(role, await this.tasks.lockUnlocked(manager, taskIds), format, manager)) {
        const { task, files } = row;
        if (files.lacksDisplay) {
          const original = await this.downloads.ensureOriginal(manager, task, ORIGINAL_DISPLAY);
          // Shown beside the result.
          if (hasResult(task.status)) ids.push(original.id);
        }
        for (const { output, missing } of outputsToFill(row, taskCount)) {
          for (const spec of missing) ids.push((await this.downloads.ensure(manager, task, output, spec)).id);
        }
      }
      return ids;
    });
    await this.runs.dispatch('renders');
    return awaited;
  }
}

function outputsToFill({ task, files }: TaskWithFiles, taskCount: number): readonly ServedOutput[] {
  const current = currentOf(task);
  return files.outputs.filter(
    ({ output, missing }) => missing.length > 0 && (taskCount === 1 || output.runId === current?.runId),
  );
}
