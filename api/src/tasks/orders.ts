import {
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DISPLAY_MAX_SIDE,
  deliveredOrder,
  PREVIEW_MAX_SIDE,
  type RenditionOrder,
  type Role,
} from '@clearframe/contract';
import { type Format, normalizeFormat, type TaskOutputRow, type TaskRow } from './task.entity.js';

/** Full size, without watermark. */
export const cleanOrder = (format: Format): RenditionOrder => ({
  ...normalizeFormat(format),
  watermark: false,
  maxSide: null,
});

export function planOrder(role: Role, format: Format): RenditionOrder {
  const { delivery } = ALLOWANCES[role];
  return {
    ...format,
    watermark: delivery === 'watermarked',
    maxSide: delivery === 'preview' ? PREVIEW_MAX_SIDE : null,
  };
}

export function servedOrder(role: Role, task: TaskRow, output: TaskOutputRow, format: Format): RenditionOrder {
  if (output.isPreview) return { ...output.order, ...normalizeFormat(format) };
  const order = task.exportedAt ? cleanOrder(format) : planOrder(role, normalizeFormat(format));
  return deliveredOrder(order, output.image.recipe);
}

/** The files for pages that show no more than the file of `order`. */
export const displayOrder = ({
  watermark,
  maxSide,
}: Pick<RenditionOrder, 'watermark' | 'maxSide'>): RenditionOrder => ({
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark,
  maxSide: Math.min(maxSide ?? DISPLAY_MAX_SIDE, DISPLAY_MAX_SIDE),
  use: 'display',
});

export const ORIGINAL_DISPLAY = displayOrder({ watermark: false, maxSide: null });

export function renditionKeyOf(outputRunId: string | null, order: RenditionOrder): string {
  const { contentType, jpegQuality } = normalizeFormat(order);
  const parts = [outputRunId ?? 'original', contentType, jpegQuality, order.maxSide ?? 'full', order.watermark];
  return [...parts, ...(order.use ? [order.use] : [])].join(':');
}

/** Whether two orders differ in format only. */
export const isSameDelivery = (one: RenditionOrder, other: RenditionOrder): boolean =>
  one.use === other.use && one.watermark === other.watermark && one.maxSide === other.maxSide;
