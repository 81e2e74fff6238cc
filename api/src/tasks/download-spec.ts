import {
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DISPLAY_MAX_SIDE,
  type DownloadSpec,
  defaultFormatOf,
  deliveredSpec,
  isOutputContentType,
  type JpegQuality,
  type OutputContentType,
  PREVIEW_MAX_SIDE,
  type Role,
} from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import { type Format, normalizeFormat, type TaskOutputRow, type TaskRow } from './task.entity.js';

/** Full size, without watermark. */
export const cleanSpec = (format: Format): DownloadSpec => ({
  ...normalizeFormat(format),
  watermark: false,
  maxSide: null,
});

export function planSpec(role: Role, { isTest }: Pick<TaskRow, 'isTest'>, format: Format): DownloadSpec {
  const delivery = isTest ? 'watermarked' : ALLOWANCES[role].delivery;
  return {
    ...format,
    watermark: delivery === 'watermarked',
    maxSide: delivery === 'preview' ? PREVIEW_MAX_SIDE : null,
  };
}

export function servedSpec(role: Role, task: TaskRow, output: TaskOutputRow, format: Format): DownloadSpec {
  if (output.isPreview) return { ...output.order, ...normalizeFormat(format) };
  const spec = task.exportedAt ? cleanSpec(format) : planSpec(role, task, normalizeFormat(format));
  return deliveredSpec(spec, output.image.recipe);
}

/** The files for pages that show no more than the file of `spec`. */
export const displaySpec = ({ watermark, maxSide }: Pick<DownloadSpec, 'watermark' | 'maxSide'>): DownloadSpec => ({
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark,
  maxSide: Math.min(maxSide ?? DISPLAY_MAX_SIDE, DISPLAY_MAX_SIDE),
  use: 'display',
});

export const ORIGINAL_DISPLAY = displaySpec({ watermark: false, maxSide: null });

/** See `use` of {@link DownloadSpec}. */
export const CHANGE_MAP: DownloadSpec = {
  contentType: 'image/png',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark: false,
  maxSide: null,
  use: 'changes',
};

/** The tiles that show what the file of `spec` does: the watermark is everywhere, also on faces. */
export const tilesSpec = ({ watermark }: Pick<DownloadSpec, 'watermark'>): DownloadSpec => ({
  contentType: 'image/jpeg',
  jpegQuality: DEFAULT_JPEG_QUALITY,
  watermark,
  maxSide: null,
  use: 'tiles',
});

export function downloadKeyOf(outputRunId: string | null, spec: DownloadSpec): string {
  const { contentType, jpegQuality } = normalizeFormat(spec);
  const parts = [outputRunId ?? 'original', contentType, jpegQuality, spec.maxSide ?? 'full', spec.watermark];
  return [...parts, ...(spec.use ? [spec.use] : [])].join(':');
}

/** Whether two specs differ in format only. */
export const isSameDelivery = (one: DownloadSpec, other: DownloadSpec): boolean =>
  one.use === other.use && one.watermark === other.watermark && one.maxSide === other.maxSide;

export interface FormatRequest {
  readonly outputContentType?: string | undefined;
  readonly jpegQuality?: JpegQuality | undefined;
}

/**
 * The requested one, else the task's own if the plan includes it, else the plan's default.
 * @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan`
 */
export function acceptFormat(role: Role, request: FormatRequest, task: TaskRow): Format {
  const own = ALLOWANCES[role].formats.includes(task.outputContentType)
    ? task.outputContentType
    : defaultFormatOf(role);
  return {
    contentType: acceptContentType(role, request.outputContentType ?? own),
    jpegQuality: request.jpegQuality ?? task.jpegQuality,
  };
}

/** @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan` */
export function acceptContentType(role: Role, format: string): OutputContentType {
  if (!isOutputContentType(format)) {
    const description = `Output format not available: ${format}`;
    throw new AppError('outputs.format_not_available', { description, details: { output_content_type: description } });
  }
  if (!ALLOWANCES[role].formats.includes(format)) {
    throw new AppError('outputs.format_not_in_plan', { details: { output_content_type: format } });
  }
  return format;
}
