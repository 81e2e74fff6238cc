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
  snakeCase,
  TEST_KEY_ROLE,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { isTaskUnlocked } from '../billing-accounts/account.repository.js';
import { EntityRows, prepared } from '../platform/database/statements.js';
import {
  cleanSpec,
  displaySpec,
  downloadKeyOf,
  isSameDelivery,
  ORIGINAL_DISPLAY,
  servedSpec,
} from './download-spec.js';
import type { SharingRow } from './sharings.repository.js';
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
/** Making a schema takes longer than parsing the files of a task. */
const StoredFiles = z.array(StoredFile);

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

/** The file of a spec, wanted or made; a failed one for as long as it isn't ordered again. */
export function findRow<File extends StoredFile>(
  files: readonly File[],
  runId: string | null,
  spec: DownloadSpec,
): File | undefined {
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

const SHARING = `(
  SELECT json_build_object('id', id, 'expiresAt', expires_at) FROM sharings
  WHERE task_id = task.id AND expires_at > now() ORDER BY expires_at DESC LIMIT 1)`;

/** A value of a column, or several of which one must match. */
export type TaskFilter = {
  readonly [Name in 'id' | 'userId' | 'isTest' | 'bulkUploadId' | 'mediaType']?:
    | TaskRow[Name]
    | readonly TaskRow[Name][];
};

/** A task as it is read by its owner. */
export interface TaskWithFiles {
  readonly task: TaskRow;
  readonly files: ServedTask;
  /** Number of tasks of its upload. */
  readonly bulkUploadSize: number;
  /** Its download is paid for or reserved. */
  readonly isUnlocked: boolean;
  /** The live link to it. */
  readonly sharing: Pick<SharingRow, 'id' | 'expiresAt'> | null;
}

interface ReadRow extends Record<string, unknown> {
  readonly bulk_upload_id: string;
  readonly files: unknown;
  readonly size: number | null;
  readonly is_unlocked: boolean;
  readonly sharing: { readonly id: string; readonly expiresAt: string } | null;
}

@Injectable()
export class TaskFiles {
  private readonly rows: EntityRows<TaskRow>;

  constructor(@InjectDataSource() private readonly database: DataSource) {
    this.rows = new EntityRows(database, TaskRow, 'task');
  }

  /**
   * One statement: runs for every poll. Tasks of one upload come in its order.
   * @param format of results; absent: the format of each
   */
  async read(role: Role, filter: TaskFilter, format?: Format): Promise<TaskWithFiles[]> {
    const conditions = Object.entries(filter).map(
      ([name, value], index) =>
        `task.${snakeCase(name)} = ${Array.isArray(value) ? `ANY ($${index + 1})` : `$${index + 1}`}`,
    );
    const rows: ReadRow[] = await this.database.query(
      prepared(
        `SELECT ${this.rows.names}, ${FILES} AS files, ${BULK_UPLOAD_SIZE} AS size,
           ${isTaskUnlocked('task.id')} AS is_unlocked, ${SHARING} AS sharing
         FROM tasks task WHERE ${conditions.join(' AND ')} ORDER BY task.position`,
      ),
      Object.values(filter),
    );
    const sizes = new Map(rows.flatMap(({ bulk_upload_id, size }) => (size === null ? [] : [[bulk_upload_id, size]])));
    return rows.map((row) => {
      const task = this.rows.entityOf(row);
      return {
        task,
        files: servedFiles(role, task, StoredFiles.parse(row.files), format),
        bulkUploadSize: sizes.get(task.bulkUploadId) ?? 1,
        isUnlocked: row.is_unlocked,
        sharing: row.sharing && { id: row.sharing.id, expiresAt: new Date(row.sharing.expiresAt) },
      };
    });
  }
}
