import {
  type AiPipeline,
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DEFAULT_PIPELINE,
  defaultFormatOf,
  enhanceImage,
  enhanceQueueOf,
  type ImageInput,
  isOutputContentType,
  type JpegQuality,
  lockedTool,
  MAX_FILES_PER_UPLOAD,
  type OutputContentType,
  PREVIEW_MAX_SIDE,
  type RenditionOrder,
  type ReprocessOrder,
  type Role,
  snakeCase,
} from '@clearframe/contract';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RUN_PRIORITY } from '../../runs/model/run.entity.js';
import type { NewRun } from '../../runs/runs.service.js';
import type { Format } from '../records/format.js';
import type { Processing, TaskRow } from '../records/task.entity.js';
import { cleanOrder } from '../renditions/orders.js';

/** What somebody may have of what they asked for. */
export interface AcceptedOrder {
  readonly aiPipeline: AiPipeline;
  readonly outputContentType: OutputContentType;
  readonly jpegQuality: JpegQuality;
}

/** A format as it was asked for; what is absent is as it was before. */
export interface FormatWish {
  readonly outputContentType?: string | undefined;
  readonly jpegQuality?: JpegQuality | undefined;
}

/** @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan`, `pipeline.not_in_plan` */
export function acceptOrder({ role, defaultAiPipeline }: Caller, input: ImageInput): AcceptedOrder {
  const outputContentType = acceptContentType(role, input.outputContentType ?? defaultFormatOf(role));
  const aiPipeline = input.aiPipeline ?? usable(role, defaultAiPipeline) ?? DEFAULT_PIPELINE;
  refuseLocked(role, aiPipeline);
  return { aiPipeline, outputContentType, jpegQuality: input.jpegQuality ?? DEFAULT_JPEG_QUALITY };
}

/**
 * What a picture is made again as. A preview may have any tool, and is a JPEG like everything that is only looked at.
 * @throws AppError as {@link acceptOrder}
 */
export function acceptReprocess(
  { role }: Caller,
  task: TaskRow,
  order: ReprocessOrder,
  standardQuality: JpegQuality,
): AcceptedOrder {
  const { contentType, jpegQuality } = acceptFormat(role, { jpegQuality: standardQuality, ...order }, task);
  const aiPipeline = order.aiPipeline ?? task.aiPipeline;
  if (!order.preview) refuseLocked(role, aiPipeline);
  return { aiPipeline, outputContentType: order.preview ? 'image/jpeg' : contentType, jpegQuality };
}

/**
 * The format of a file that is to be made of a result: the one asked for, else the task's own where the plan still has
 * it, else the plan's.
 * @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan`
 */
export function acceptFormat(role: Role, wish: FormatWish, task: TaskRow): Format {
  const own = ALLOWANCES[role].formats.includes(task.outputContentType)
    ? task.outputContentType
    : defaultFormatOf(role);
  return {
    contentType: acceptContentType(role, wish.outputContentType ?? own),
    jpegQuality: wish.jpegQuality ?? task.jpegQuality,
  };
}

function acceptContentType(role: Role, format: string): OutputContentType {
  if (!isOutputContentType(format)) {
    const description = `Output format not available: ${format}`;
    throw new AppError('outputs.format_not_available', { description, details: { output_content_type: description } });
  }
  if (!ALLOWANCES[role].formats.includes(format)) {
    throw new AppError('outputs.format_not_in_plan', { details: { output_content_type: format } });
  }
  return format;
}

function refuseLocked(role: Role, aiPipeline: AiPipeline): void {
  const locked = lockedTool(role, aiPipeline);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
}

/** A saved default may be from better days: what the plan no longer has is not asked for by itself. */
const usable = (role: Role, saved: AiPipeline | null): AiPipeline | null =>
  saved && lockedTool(role, saved) === null ? saved : null;

/** @throws AppError `batch.not_in_plan`, `batch.too_many_files` */
export function acceptCount(role: Role, files: number): void {
  if (files > 1 && !ALLOWANCES[role].batch) throw new AppError('batch.not_in_plan');
  if (files > MAX_FILES_PER_UPLOAD) {
    throw new AppError('batch.too_many_files', { details: { max_files: MAX_FILES_PER_UPLOAD, files } });
  }
}

/**
 * The rendition a role may have before any download. Settled when work starts, and kept: plans change, promises do not.
 * What is paid for is clean from then on; a preview never is.
 */
export function renditionFor(role: Role, task: TaskRow, isPreview = false): RenditionOrder {
  const { outputContentType: contentType, jpegQuality } = task;
  if (isPreview) return { contentType, jpegQuality, watermark: true, maxSide: PREVIEW_MAX_SIDE };
  if (task.exportedAt) return cleanOrder({ contentType, jpegQuality });
  const { delivery } = ALLOWANCES[role];
  return {
    contentType,
    jpegQuality,
    watermark: delivery === 'watermarked',
    maxSide: delivery === 'preview' ? PREVIEW_MAX_SIDE : null,
  };
}

/** How a run works. A preview is worked on in its own size. */
export const runSettings = (
  { maxSide, faceDetectorMaxInput }: Processing,
  isPreview = false,
): NonNullable<TaskRow['processing']> => ({
  maxSide: isPreview ? PREVIEW_MAX_SIDE : maxSide,
  faceDetectorMaxInput,
  isPreview,
});

/** Bought downloads count as a subscription does: paying users are served before others. */
const isPaying = (role: Role): boolean => role !== 'guest' && role !== 'base';

/** The run that a task's picture is enhanced by. */
export function enhanceRunOf({ id, runId, userId, aiPipeline, outputs }: TaskRow, role: Role): NewRun {
  if (!runId) throw new Error(`task ${id} has no run`);
  const input = outputs[0]?.image.input;
  return {
    id: runId,
    kind: enhanceImage.name,
    subjectId: id,
    userId,
    queue: enhanceQueueOf(aiPipeline),
    priority: isPaying(role) ? RUN_PRIORITY.paying : RUN_PRIORITY.free,
    megapixels: input ? (input.width * input.height) / 1e6 : null,
  };
}
