import {
  type AiPipeline,
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DEFAULT_PIPELINE,
  defaultFormatOf,
  enhanceImage,
  FACE_DETECTOR_MAX_INPUT,
  type ImageInput,
  isOutputContentType,
  jobIdOf,
  lockedTool,
  MAX_FILES_PER_UPLOAD,
  OUTPUT_MAX_SIDE,
  type OutputContentType,
  objectKeys,
  PREVIEW_MAX_SIDE,
  type RenditionOrder,
  type Role,
  snakeCase,
} from '@clearframe/contract';
import type { Caller } from '../identity/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import { type ReadyJob, readyJob } from '../queue/queues.js';
import type { TaskRow } from './task.entity.js';

/** What somebody may have of what they asked for. */
export interface AcceptedOrder {
  readonly aiPipeline: AiPipeline;
  readonly outputContentType: OutputContentType;
  readonly jpegQuality: 90 | 100;
}

/** @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan`, `pipeline.not_in_plan` */
export function acceptOrder({ role, defaultAiPipeline }: Caller, input: ImageInput): AcceptedOrder {
  const format = input.outputContentType ?? defaultFormatOf(role);
  if (!isOutputContentType(format)) {
    const description = `Output format not available: ${format}`;
    throw new AppError('outputs.format_not_available', { description, details: { output_content_type: description } });
  }
  if (!ALLOWANCES[role].formats.includes(format)) {
    throw new AppError('outputs.format_not_in_plan', { details: { output_content_type: format } });
  }
  const aiPipeline = input.aiPipeline ?? usable(role, defaultAiPipeline) ?? DEFAULT_PIPELINE;
  const locked = lockedTool(role, aiPipeline);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
  return { aiPipeline, outputContentType: format, jpegQuality: input.jpegQuality ?? DEFAULT_JPEG_QUALITY };
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

/** The rendition a role may have before any export. Settled when work starts, and kept: plans change, promises do not. */
export function renditionFor(role: Role, task: TaskRow): RenditionOrder {
  const { delivery } = ALLOWANCES[role];
  return {
    contentType: task.outputContentType,
    jpegQuality: task.jpegQuality,
    watermark: delivery === 'watermarked',
    maxSide: delivery === 'preview' ? PREVIEW_MAX_SIDE : null,
  };
}

/** The job of a run. The same task makes the same job, so that a lost one can be made again. */
export function runJobOf(task: TaskRow, runId: string, rendition: RenditionOrder): ReadyJob {
  return readyJob(enhanceImage, jobIdOf(runId), {
    taskId: task.id,
    runId,
    inputKey: objectKeys.input(task.id),
    aiPipeline: task.aiPipeline,
    rendition,
    maxSide: OUTPUT_MAX_SIDE,
    faceDetectorMaxInput: FACE_DETECTOR_MAX_INPUT,
    keepLocation: false,
  });
}
