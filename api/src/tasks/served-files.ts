import {
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  defaultFormatOf,
  hasOriginal,
  inMilliseconds,
  isUntouched,
  type RenderedImage,
  type RenditionOrder,
  type Role,
} from '@clearframe/contract';
import { cleanOrder, displayOrder, isSameDelivery, ORIGINAL_DISPLAY, renditionKeyOf, servedOrder } from './orders.js';
import type { RenditionRow } from './renditions.repository.js';
import type { Format, TaskOutputRow, TaskRow } from './task.entity.js';

/** A failed file is ordered again after this time. */
const RETRY_AFTER_MS = inMilliseconds.minutes(5);

export interface ServedOutput {
  readonly output: TaskOutputRow;
  readonly order: RenditionOrder;
  /** File of `order`; until it is encoded one that shows less, or null. */
  readonly image: RenderedImage | null;
  readonly isFinal: boolean;
  /** A file or its display file is to come. */
  readonly isEncoding: boolean;
  readonly display: RenderedImage | null;
  readonly converted: readonly RenderedImage[];
  readonly missing: readonly RenditionOrder[];
}

export interface ServedTask {
  readonly display: RenderedImage | null;
  readonly converted: readonly RenderedImage[];
  readonly lacksDisplay: boolean;
  readonly outputs: readonly ServedOutput[];
}

interface KnownFile {
  readonly order: RenditionOrder;
  readonly image: RenderedImage;
}

/** @param format of results; absent: the format of each */
export function servedFiles(role: Role, task: TaskRow, files: readonly RenditionRow[], format?: Format): ServedTask {
  const ofOriginal = files.filter(({ outputRunId }) => outputRunId === null);
  const display = findRow(ofOriginal, null, ORIGINAL_DISPLAY);
  return {
    display: hasOriginal(task.status) ? (display?.image ?? null) : null,
    converted: readyOf(ofOriginal).flatMap(({ order, image }) => (order.use ? [] : [image])),
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
  files: readonly RenditionRow[],
  format: Format = formatOf(role, task, output, files),
): ServedOutput {
  const order = servedOrder(role, task, output, format);
  const known = [...ownFiles(output), ...readyOf(files)];
  const display = displayOrder(order);
  const lacking = [order, display].filter((wanted) => !known.some((file) => isSame(output, file.order, wanted)));
  const rowOf = (wanted: RenditionOrder) => findRow(files, output.runId, wanted);
  return {
    output,
    order,
    image: pick(known, output, order),
    isFinal: !lacking.includes(order),
    isEncoding: lacking.some((wanted) => rowOf(wanted)?.status !== 'failed'),
    display: pick(known, output, display),
    converted: readyOf(files).flatMap((file) => (isSameDelivery(file.order, order) ? [file.image] : [])),
    missing: lacking.filter((wanted) => !rowOf(wanted)),
  };
}

function formatOf(role: Role, task: TaskRow, output: TaskOutputRow, files: readonly RenditionRow[]): Format {
  if (isDelivered(task, output) && task.exportFormat && !output.isPreview) {
    const downloaded = findRow(files, output.runId, cleanOrder(task.exportFormat));
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

function ownFiles({ order, image }: TaskOutputRow): KnownFile[] {
  const display = image.display ? [{ order: displayOrder(order), image: image.display }] : [];
  return [{ order, image: image.rendition }, ...display];
}

const readyOf = (files: readonly RenditionRow[]): KnownFile[] =>
  files.flatMap(({ rendition: order, image }) => (image ? [{ order, image }] : []));

function findRow(
  files: readonly RenditionRow[],
  runId: string | null,
  order: RenditionOrder,
): RenditionRow | undefined {
  const key = renditionKeyOf(runId, order);
  const rows = files.filter(({ renditionKey }) => renditionKey === key);
  const retriedBefore = Date.now() - RETRY_AFTER_MS;
  return (
    rows.find(({ status }) => status !== 'failed') ?? rows.find(({ createdAt }) => createdAt.getTime() > retriedBefore)
  );
}

/** The file of an order, else the best one that may be shown until it is encoded. */
function pick(known: readonly KnownFile[], output: TaskOutputRow, wanted: RenditionOrder): RenderedImage | null {
  const exact = known.find((file) => isSame(output, file.order, wanted));
  if (exact) return exact.image;
  const maxSide = wanted.maxSide ?? Number.POSITIVE_INFINITY;
  const isClean = ({ order, image }: KnownFile): boolean =>
    !order.watermark && !wanted.watermark && Math.max(image.width, image.height) <= maxSide;
  const usable = known.filter(({ order }) => order.use === wanted.use);
  // Every plan may have the watermarked file.
  return (usable.find(isClean) ?? usable.find(({ order }) => order.watermark))?.image ?? null;
}

const isSame = ({ runId, image }: TaskOutputRow, one: RenditionOrder, other: RenditionOrder): boolean => {
  const side = Math.max(image.master.width, image.master.height);
  const keyOf = (order: RenditionOrder) =>
    // A limit above the picture's size changes nothing.
    renditionKeyOf(runId, { ...order, maxSide: order.maxSide !== null && order.maxSide < side ? order.maxSide : null });
  return keyOf(one) === keyOf(other);
};
