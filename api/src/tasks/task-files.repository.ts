import {
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DownloadSpec,
  defaultFormatOf,
  hasOriginal,
  inMilliseconds,
  isUntouched,
  RenderedImage,
  type Role,
  TEST_KEY_ROLE,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type FindOptionsWhere } from 'typeorm';
import { z } from 'zod';
import {
  cleanSpec,
  displaySpec,
  downloadKeyOf,
  isSameDelivery,
  ORIGINAL_DISPLAY,
  servedSpec,
} from './download-spec.js';
import { type Format, type TaskOutputRow, TaskRow } from './task.entity.js';

/** A failed file is ordered again after this time. */
export const RETRY_AFTER_MS = inMilliseconds.minutes(5);
const MAX_ATTEMPTS = 5;

/** Of a `DownloadRow`. */
const StoredFile = z.object({
  outputRunId: z.string().nullable(),
  rendition: DownloadSpec,
  renditionKey: z.string(),
  status: z.enum(['pending', 'ready', 'failed']),
  image: RenderedImage.nullable(),
  createdAt: z.coerce.date(),
});
type StoredFile = Readonly<z.infer<typeof StoredFile>>;

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

/**
 * What a caller may have today: the only code that decides on it.
 * @param format of results; absent: the format of each
 */
export function servedFiles(caller: Role, task: TaskRow, files: readonly StoredFile[], format?: Format): ServedTask {
  const role = task.isTest ? TEST_KEY_ROLE : caller;
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
  files: readonly StoredFile[],
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

function formatOf(role: Role, task: TaskRow, output: TaskOutputRow, files: readonly StoredFile[]): Format {
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

const readyOf = (files: readonly StoredFile[]): KnownFile[] =>
  files.flatMap(({ rendition: spec, image }) => (image ? [{ spec, image }] : []));

function findRow(files: readonly StoredFile[], runId: string | null, spec: DownloadSpec): StoredFile | undefined {
  const key = downloadKeyOf(runId, spec);
  const rows = files.filter(({ renditionKey }) => renditionKey === key);
  const retriedBefore = Date.now() - RETRY_AFTER_MS;
  const isGivenUp = rows.length >= MAX_ATTEMPTS;
  return (
    rows.find(({ status }) => status !== 'failed') ??
    rows.find(({ createdAt }) => isGivenUp || createdAt.getTime() > retriedBefore)
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

const FILES = `(
  SELECT coalesce(json_agg(json_build_object('outputRunId', output_run_id, 'rendition', rendition,
    'renditionKey', rendition_key, 'status', status, 'image', image, 'createdAt', created_at) ORDER BY created_at DESC), '[]')
  FROM renditions WHERE task_id = task.id)`;
/** Once for each upload: counting it for each of its tasks would be quadratic. */
const BULK_UPLOAD_SIZE = `CASE WHEN row_number() OVER (PARTITION BY task.bulk_upload_id) = 1
  THEN (SELECT count(*)::int FROM tasks one WHERE one.bulk_upload_id = task.bulk_upload_id) END`;

/** A task as it is read by its owner. */
export interface TaskWithFiles {
  readonly task: TaskRow;
  readonly files: ServedTask;
  /** Number of tasks of its upload. */
  readonly bulkUploadSize: number;
}

@Injectable()
export class TaskFiles {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /**
   * One statement: runs for every poll. Tasks of one upload come in its order.
   * @param format of results; absent: the format of each
   */
  async read(role: Role, where: FindOptionsWhere<TaskRow>, format?: Format): Promise<TaskWithFiles[]> {
    const { entities, raw } = await this.database.manager
      .createQueryBuilder(TaskRow, 'task')
      .addSelect(FILES, 'files')
      .addSelect(BULK_UPLOAD_SIZE, 'size')
      .where(where)
      .orderBy('task.position')
      .getRawAndEntities<{ files: unknown; size: number | null }>();
    const sizes = new Map(
      entities.map(({ bulkUploadId }, index) => [bulkUploadId, raw[index]?.size] as const).filter(([, size]) => size),
    );
    return entities.map((task, index) => ({
      task,
      files: servedFiles(role, task, z.array(StoredFile).parse(raw[index]?.files), format),
      bulkUploadSize: sizes.get(task.bulkUploadId) ?? 1,
    }));
  }
}
