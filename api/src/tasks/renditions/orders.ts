import type { RenditionOrder } from '@clearframe/contract';
import { type Format, normalizeFormat, type TaskOutputRow, type TaskRow } from '../records/task.entity.js';

/** Full size, without watermark. */
export const cleanOrder = (format: Format): RenditionOrder => ({
  ...normalizeFormat(format),
  watermark: false,
  maxSide: null,
});

/** Clean once the task is paid for, else as first rendered. */
export const servedOrder = (task: TaskRow, output: TaskOutputRow, format: Format): RenditionOrder =>
  task.exportedAt && !output.isPreview ? cleanOrder(format) : { ...output.order, ...normalizeFormat(format) };

/** Equal for orders that produce the same file. */
export function renditionKeyOf(outputRunId: string | null, order: RenditionOrder): string {
  const { contentType, jpegQuality } = normalizeFormat(order);
  const parts = [outputRunId ?? 'original', contentType, jpegQuality, order.maxSide ?? 'full', order.watermark];
  return parts.join(':');
}

/** Whether two orders differ in format only. */
export const isSameDelivery = (one: RenditionOrder, other: RenditionOrder): boolean =>
  one.watermark === other.watermark && one.maxSide === other.maxSide;
