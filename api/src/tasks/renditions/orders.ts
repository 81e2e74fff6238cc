import type { RenditionOrder } from '@clearframe/contract';
import { type Format, normalFormat } from '../records/format.js';
import type { TaskOutputRow, TaskRow } from '../records/task.entity.js';

/** Clean and in full. */
export const cleanOrder = (format: Format): RenditionOrder => ({
  ...normalFormat(format),
  watermark: false,
  maxSide: null,
});

/** What the owner may have of a result, in another format: clean once it is paid for, else as it was made. */
export const servedOrder = (task: TaskRow, output: TaskOutputRow, format: Format): RenditionOrder =>
  task.exportedAt && !output.isPreview ? cleanOrder(format) : { ...output.order, ...normalFormat(format) };

/** Equal for what is the same file. */
export function renditionKeyOf(outputRunId: string | null, order: RenditionOrder): string {
  const { contentType, jpegQuality } = normalFormat(order);
  const parts = [outputRunId ?? 'original', contentType, jpegQuality, order.maxSide ?? 'full', order.watermark];
  return parts.join(':');
}

/** Whether two orders allow the same: one in another format is still the same picture. */
export const isSameDelivery = (one: RenditionOrder, other: RenditionOrder): boolean =>
  one.watermark === other.watermark && one.maxSide === other.maxSide;
