import {
  type AiPipeline,
  ALLOWANCES,
  DEFAULT_JPEG_QUALITY,
  DEFAULT_PIPELINE,
  type DownloadSpec,
  defaultFormatOf,
  type ImageInput,
  isLargeResult,
  type JpegQuality,
  keptVariantsOf,
  lockedTool,
  MAX_FILES_PER_KEY_UPLOAD,
  MAX_FILES_PER_UPLOAD,
  MEASURED_TOOLS,
  needsNetworks,
  OUTPUT_MAX_SIDE,
  OUTPUT_MAX_SIDE_UNCAPPED,
  type OutputContentType,
  PREVIEW_MAX_SIDE,
  pipelineInPlan,
  type ReprocessInput,
  type Role,
  snakeCase,
  toolsOf,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { FlagsService } from '../platform/flags/flags.service.js';
import { RUN_PRIORITY } from '../runs/run.entity.js';
import type { RunRequest } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { acceptContentType, acceptFormat, cleanSpec, planSpec } from './download-spec.js';
import { keptPartsOf, type ProcessingLimits, type TaskRow } from './task.entity.js';

/** What everyone is offered, by flags. */
export interface Offered {
  /** `removeCap`. */
  readonly isUncapped: boolean;
  /** `expRepair`. */
  readonly hasRepair: boolean;
}

@Injectable()
export class ProcessingSettings {
  constructor(private readonly flags: FlagsService) {}

  async read(): Promise<ProcessingLimits & Offered & { readonly jpegQuality: JpegQuality }> {
    const {
      removeCap: isUncapped,
      expRepair: hasRepair,
      jpegQuality,
      faceDetectorMaxInputRes,
    } = await this.flags.current();
    return {
      maxSide: isUncapped ? OUTPUT_MAX_SIDE_UNCAPPED : OUTPUT_MAX_SIDE,
      faceDetectorMaxInput: faceDetectorMaxInputRes,
      jpegQuality,
      isUncapped,
      hasRepair,
    };
  }
}

interface AcceptedRequest {
  readonly aiPipeline: AiPipeline;
  readonly keepLocation: boolean;
  readonly outputContentType: OutputContentType;
  readonly jpegQuality: JpegQuality;
}

export function acceptRequest(caller: Caller, input: ImageInput, offered: Offered): AcceptedRequest {
  const { role } = caller;
  const outputContentType = acceptContentType(role, input.outputContentType ?? defaultFormatOf(role));
  const asked = withMeasuredTools(role, input.aiPipeline ?? defaultPipelineOf(caller, offered));
  const aiPipeline = withOutputSize(asked, offered.isUncapped);
  requireOffered(aiPipeline, offered);
  requirePlan(role, aiPipeline, offered.isUncapped);
  return {
    aiPipeline,
    outputContentType,
    jpegQuality: input.jpegQuality ?? DEFAULT_JPEG_QUALITY,
    keepLocation: input.keepLocation ?? caller.keepLocation,
  };
}

/**
 * A preview may use any tool and is a JPEG.
 * @throws AppError as {@link acceptRequest}
 */
export function acceptReprocess(
  { role }: Caller,
  task: TaskRow,
  input: ReprocessInput,
  offered: Offered,
): AcceptedRequest {
  const { isUncapped } = offered;
  const { contentType, jpegQuality } = acceptFormat(role, input, task);
  const { outputSize, ...tools } = withMeasuredTools(role, input.aiPipeline ?? task.aiPipeline);
  // A preview is small. The plan may have changed since the earlier run.
  const isDropped = input.preview || (!input.aiPipeline && lockedTool(role, { outputSize }, isUncapped) !== null);
  const aiPipeline = isDropped ? tools : withOutputSize({ ...tools, ...(outputSize && { outputSize }) }, isUncapped);
  requireOffered(aiPipeline, offered);
  if (!input.preview) requirePlan(role, aiPipeline, isUncapped);
  return {
    aiPipeline,
    outputContentType: input.preview ? 'image/jpeg' : contentType,
    jpegQuality,
    keepLocation: input.keepLocation ?? task.keepLocation,
  };
}

/** `auto` alone stands for the tools of the plan that the worker can choose from. */
const withMeasuredTools = (role: Role, aiPipeline: AiPipeline): AiPipeline =>
  aiPipeline.auto && toolsOf(aiPipeline).length === 0
    ? { ...aiPipeline, ...pipelineInPlan(role, MEASURED_TOOLS) }
    : aiPipeline;

const withOutputSize = (aiPipeline: AiPipeline, isUncapped: boolean): AiPipeline =>
  isUncapped ? { ...aiPipeline, outputSize: aiPipeline.outputSize ?? 'original' } : aiPipeline;

/** Also for previews. */
function requireOffered({ repair }: AiPipeline, { hasRepair }: Offered): void {
  if (repair && !hasRepair) throw new AppError('pipeline.not_in_plan', { details: { tool: 'repair' } });
}

function requirePlan(role: Role, aiPipeline: AiPipeline, isUncapped: boolean): void {
  const locked = lockedTool(role, aiPipeline, isUncapped);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
}

/** The saved one, unless the plan no longer includes all of it. */
const defaultPipelineOf = (
  { role, defaultAiPipeline: saved }: Caller,
  { isUncapped, hasRepair }: Offered,
): AiPipeline =>
  saved && (hasRepair || !saved.repair) && lockedTool(role, saved, isUncapped) === null ? saved : DEFAULT_PIPELINE;

export function checkFileCount({ role, principal }: Caller, files: number): void {
  if (files > 1 && !ALLOWANCES[role].batch) throw new AppError('batch.not_in_plan');
  const maxFiles = principal.kind === 'key' ? MAX_FILES_PER_KEY_UPLOAD : MAX_FILES_PER_UPLOAD;
  if (files > maxFiles) throw new AppError('batch.too_many_files', { details: { max_files: maxFiles, files } });
}

/**
 * The rendition that a run encodes, by the plan at its start; a later plan gets its own. Paid tasks get clean results,
 * but not clean previews.
 */
export function downloadSpecFor(role: Role, task: TaskRow, isPreview = false): DownloadSpec {
  const { outputContentType: contentType, jpegQuality } = task;
  if (isPreview) return { contentType, jpegQuality, watermark: true, maxSide: PREVIEW_MAX_SIDE };
  const format = { contentType, jpegQuality };
  return task.exportedAt ? cleanSpec(format) : planSpec(role, task, format);
}

/** A preview is processed at its own size. */
export const runSettings = (
  { maxSide, faceDetectorMaxInput }: ProcessingLimits,
  isPreview = false,
): NonNullable<TaskRow['processing']> => ({
  maxSide: isPreview ? PREVIEW_MAX_SIDE : maxSide,
  faceDetectorMaxInput,
  isPreview,
});

/** Whether earlier runs have restored every pixel that this one needs. Unknown, so false, for a first run. */
function isKept(task: TaskRow): boolean {
  const input = task.outputs[0]?.image.input;
  if (!input || !task.processing) return false;
  const { background, faces } = keptVariantsOf(task.aiPipeline, input, task.processing.maxSide);
  const kept = keptPartsOf(task);
  return [background, faces].every((wanted) => wanted === null || kept.some(({ variant }) => variant === wanted));
}

/** Includes buyers of single downloads. */
export const isPaying = (role: Role): boolean => role !== 'guest' && role !== 'base';

/** @param megapixels of the original, as its header says; null if unknown */
export function enhanceRunOf(task: TaskRow, role: Role, megapixels: number | null = null): RunRequest {
  const { id, runId, userId, aiPipeline, outputs, isTest } = task;
  if (!runId) throw new Error(`task ${id} has no run`);
  const input = outputs[0]?.image.input;
  const size = input ? (input.width * input.height) / 1e6 : megapixels;
  return {
    id: runId,
    subjectId: id,
    userId,
    weight: isLargeResult(aiPipeline, size) ? 'large' : !needsNetworks(aiPipeline) || isKept(task) ? 'light' : 'usual',
    priority: isPaying(role) && !isTest ? RUN_PRIORITY.paying : RUN_PRIORITY.free,
    megapixels: size,
  };
}
