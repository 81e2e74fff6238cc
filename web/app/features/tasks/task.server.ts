import {
  type DisplayImage,
  type ErrorCode,
  type FaceReport,
  hasResult,
  isErrorCode,
  isRunning,
  type Recipe,
  resultRoutes,
  type Task,
  type TaskDisplay,
  type TaskOutput,
  taskRoutes,
  toolsOf,
  videoRoutes,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { asApiError, problemPage, throwPageFor } from '../../http/problem.server';
import { createGuest, tokenOf, visitorOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import type { OutputView, ResultNote, TaskView, UntouchedReason } from './task-view';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const taskIdIn = (request: Request): string => new URL(request.url).searchParams.get('taskId') ?? '';

export const outputIdIn = (request: Request): string | null => new URL(request.url).searchParams.get('outputId');

/**
 * Unknown tasks throw the 'not found' page; an ended guest session throws an error page that sets a new guest, an ended
 * member session the login.
 */
export const readTask = (taskId: string, request: Request, context: AppLoadContext): Promise<Task> =>
  readAs(taskId, request, context, (token) =>
    callApi(taskRoutes.getTask, { params: { taskId } }, { context, request, token }),
  );

/** Reads the resource of a page, with the pages that {@link readTask} throws. */
export async function readAs<Resource>(
  taskId: string,
  request: Request,
  context: AppLoadContext,
  read: (token: string) => Promise<Resource>,
): Promise<Resource> {
  const token = await tokenOf(request, context);
  if (!token || !UUID.test(taskId)) throwPageFor('tasks.not_found', context);
  try {
    return await read(token);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    const isGuest = (await visitorOf(request, context)).kind === 'guest';
    if (problem.code !== 'users.not_authorized' || !isGuest) throw problem;
    await createGuest(request, context).catch(() => null);
    throw problemPage(problem);
  }
}

/** {@link readTask} as a view, with the result of the page's address. */
export const loadTask = async (taskId: string, request: Request, context: AppLoadContext): Promise<TaskView> =>
  taskViewOf(await readTask(taskId, request, context), context, outputIdIn(request));

export async function cancelTask(taskId: string, request: Request, context: AppLoadContext): Promise<void> {
  const token = await tokenOf(request, context);
  await trackOperation({ kind: 'cancel', details: { what: 'processing' } }, { request, context }, () =>
    callApi(taskRoutes.cancelTask, { params: { taskId } }, { context, request, token }),
  );
}

/**
 * Processes a failed task again, with its own tools.
 * @throws ApiError
 */
export async function retryTask(taskId: string, request: Request, context: AppLoadContext): Promise<void> {
  const caller = { context, request, token: await tokenOf(request, context) };
  const { bulkUploadId, mediaType } = await callApi(taskRoutes.getTask, { params: { taskId } }, caller);
  if (mediaType === 'video') {
    await callApi(videoRoutes.processVideoTask, { params: { videoTaskId: taskId } }, caller);
    return;
  }
  const body = { inputReprocessList: [{ clientTaskId: taskId, preview: false }] };
  await callApi(resultRoutes.reprocessTasks, { params: { bulkUploadId }, body }, caller);
}

/** @param outputId see {@link shownOutputOf} */
export function taskViewOf(task: Task, { settings }: AppLoadContext, outputId: string | null = null): TaskView {
  const { result, errorCode } = task;
  const output = shownOutputOf(task, outputId);
  return {
    taskId: task.taskId,
    batchId: task.bulkUploadSize > 1 ? task.bulkUploadId : null,
    // The file for a changed plan is being encoded.
    state:
      result.outputs.length > 0 && hasResult(task.status) && !output ? { kind: 'working', progress: 1 } : stateOf(task),
    remainingSeconds: isRunning(task.status) ? task.remainingSeconds : null,
    exportState: task.exportState,
    isTest: task.isTest,
    mediaType: task.mediaType,
    duration: task.input.duration,
    fileName: task.input.fileName,
    display: taskDisplayOf(task.display, settings),
    output: output && outputOf(output, settings),
    newestOutputId: result.outputs[0]?.id ?? null,
    uploadProblem: isAwaitingFile(task) && errorCode && isErrorCode(errorCode) ? errorCode : null,
    lastProblem: hasResult(task.status) && errorCode && isErrorCode(errorCode) ? errorCode : null,
    expiresAt: task.expiresAt,
  };
}

const isAwaitingFile = ({ status }: Task): boolean => status === 'started' || status === 'uploading';

function stateOf(task: Task): TaskView['state'] {
  if (hasResult(task.status)) return { kind: 'done' };
  switch (task.status) {
    case 'failed':
    case 'invalid':
      return { kind: task.status, code: codeOf(task) };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'processing':
    case 'reprocessing':
      return task.queueWaitNum === 0 || task.progress > 0
        ? { kind: 'working', progress: task.progress }
        : { kind: 'waiting', place: task.queueWaitNum };
    default:
      return { kind: 'uploading' };
  }
}

const codeOf = ({ errorCode }: Task): ErrorCode => (errorCode && isErrorCode(errorCode) ? errorCode : 'tasks.failed');

export type EncodedOutput = TaskOutput & { readonly url: string };

/** A result has no file while one for a changed plan is encoded. */
export const isEncoded = (output: TaskOutput): output is EncodedOutput => output.url !== null;

/**
 * The result to display.
 * @param outputId `latest` is the newest, previews included; null and unknown ids the newest that isn't a preview
 */
export function shownOutputOf({ result }: Task, outputId: string | null): EncodedOutput | null {
  const outputs = result.outputs.filter(isEncoded);
  if (outputId === 'latest') return outputs[0] ?? null;
  const own = outputs.find(({ isPreview }) => !isPreview) ?? outputs[0];
  return outputs.find(({ id }) => id === outputId) ?? own ?? null;
}

function outputOf(output: EncodedOutput, settings: AppLoadContext['settings']): OutputView {
  return {
    id: output.id,
    display: output.display && displayImageOf(output.display, settings),
    url: browserAddress(output.url, settings),
    downloadUrl: downloadAddress(output.url, settings),
    contentType: output.contentType,
    width: output.width,
    height: output.height,
    fullSize: output.fullSize,
    hasWatermark: output.hasWatermark,
    isEncoding: output.isEncoding,
    isUntouched: output.isUntouched,
    untouchedReason: untouchedReasonOf(output.recipe),
    faces: output.faces.map(({ box }) => box),
    isPreview: output.isPreview,
    notes: notesOf(output.recipe, output.faces),
  };
}

const taskDisplayOf = (
  { inputUrl, inputMediumUrl, outputUrl, thumbnailUrl, inputThumbnailUrl, width, height }: TaskDisplay,
  settings: AppLoadContext['settings'],
): TaskDisplay => ({
  inputUrl: inputUrl && browserAddress(inputUrl, settings),
  inputMediumUrl: inputMediumUrl && browserAddress(inputMediumUrl, settings),
  outputUrl: outputUrl && browserAddress(outputUrl, settings),
  thumbnailUrl: thumbnailUrl && browserAddress(thumbnailUrl, settings),
  inputThumbnailUrl: inputThumbnailUrl && browserAddress(inputThumbnailUrl, settings),
  width,
  height,
});

const displayImageOf = (
  { url, mediumUrl, thumbnailUrl, width, height }: DisplayImage,
  settings: AppLoadContext['settings'],
): DisplayImage => ({
  url: browserAddress(url, settings),
  mediumUrl: mediumUrl && browserAddress(mediumUrl, settings),
  thumbnailUrl: browserAddress(thumbnailUrl, settings),
  width,
  height,
});

export function untouchedReasonOf({ aiPipeline }: Pick<Recipe, 'aiPipeline'>): UntouchedReason {
  if (aiPipeline.faceEnhance || aiPipeline.backgroundEnhance) return 'sharp';
  return toolsOf(aiPipeline).length > 0 ? 'other' : 'none';
}

/** Notes on restored faces and on requested tools that were not applied. */
export function notesOf({ aiPipeline, leftAlone = [], damage }: Recipe, faces: readonly FaceReport[]): ResultNote[] {
  const notes: ResultNote[] = [];
  if (aiPipeline.faceEnhance) {
    const heldBack = faces.some((face) => face.heldBack);
    const kept = faces.some((face) => face.keptOriginal);
    const isCleaned = aiPipeline.backgroundEnhance && !leftAlone.includes('background_enhance');
    const restored = faces.filter((face) => face.restored).length;
    if (faces.length === 0) notes.push({ kind: isCleaned ? 'cleaned' : 'noFace' });
    else if (restored > 0) notes.push({ kind: 'restored', faces: restored });
    else if (!heldBack && !kept) notes.push({ kind: 'facesLeft' });
    if (heldBack) notes.push({ kind: 'facesHeldBack' });
    if (kept) notes.push({ kind: 'facesKept' });
  }
  if (aiPipeline.repair && damage) notes.push({ kind: 'repaired', marks: damage.count });
  if (leftAlone.includes('repair')) notes.push({ kind: 'repairLeft' });
  if (leftAlone.includes('fade')) notes.push({ kind: 'fadeLeft' });
  if (leftAlone.includes('face_lifting')) notes.push({ kind: 'liftingLeft' });
  if (leftAlone.includes('bokeh')) notes.push({ kind: 'bokehLeft' });
  return notes;
}
