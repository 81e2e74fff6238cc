import {
  type DisplayImage,
  type ErrorCode,
  hasResult,
  isErrorCode,
  isUntouched,
  type Task,
  type TaskDisplay,
  taskRoutes,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { browserAddress, downloadAddress } from '../../../http/api-addresses.server';
import { asApiError, throwPageFor, throwProblemPage } from '../../../http/problem.server';
import { createGuest, startLogin, tokenOf, visitorOf } from '../../../session/visitor.server';
import { notesOf } from './result-notes';
import type { OutputView, TaskView } from './task-view';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const taskIdIn = (request: Request): string => new URL(request.url).searchParams.get('taskId') ?? '';

/**
 * Fetches a task for its page. Unknown tasks throw the 'not found' page; an ended guest session throws an error page
 * that sets a new guest, an ended member session the login.
 */
export async function loadTask(taskId: string, request: Request, context: AppLoadContext): Promise<TaskView> {
  const token = await tokenOf(request, context);
  if (!token || !UUID.test(taskId)) throwPageFor('tasks.not_found', context);
  try {
    return taskViewOf(await callApi(taskRoutes.getTask, { params: { taskId } }, { context, request, token }), context);
  } catch (error) {
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'users.not_authorized') {
      if ((await visitorOf(request, context)).kind === 'member') throw await startLogin(request, context);
      const { setCookie } = await createGuest(request, context).catch(() => ({ setCookie: null }));
      throwProblemPage(problem, setCookie ? { 'set-cookie': setCookie } : {});
    }
    throwProblemPage(problem);
  }
}

/** @throws ApiError */
export async function cancelTask(taskId: string, request: Request, context: AppLoadContext): Promise<void> {
  const token = await tokenOf(request, context);
  await callApi(taskRoutes.cancelTask, { params: { taskId } }, { context, request, token });
}

export function taskViewOf(task: Task, { settings }: AppLoadContext): TaskView {
  return {
    taskId: task.taskId,
    state: stateOf(task),
    isExported: task.status === 'exported',
    fileName: task.input.fileName,
    inputUrl: task.inputUrl && browserAddress(task.inputUrl, settings),
    display: taskDisplayOf(task.display, settings),
    output: outputOf(task, settings),
    expiresAt: task.expiresAt,
  };
}

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

function outputOf(task: Task, settings: AppLoadContext['settings']): OutputView | null {
  const { outputs } = task.result;
  const output = outputs.find(({ isPreview }) => !isPreview) ?? outputs[0];
  if (!output) return null;
  return {
    id: output.id,
    display: output.display && displayImageOf(output.display, settings),
    url: browserAddress(output.url, settings),
    downloadUrl: downloadAddress(output.url, settings),
    contentType: output.contentType,
    width: output.width,
    height: output.height,
    hasWatermark: output.hasWatermark,
    isUntouched: isUntouched(output.recipe),
    faces: output.faces.map(({ box }) => box),
    notes: notesOf(output.recipe, output.faces),
  };
}

const taskDisplayOf = (
  { inputUrl, outputUrl, thumbnailUrl, width, height }: TaskDisplay,
  settings: AppLoadContext['settings'],
): TaskDisplay => ({
  inputUrl: inputUrl && browserAddress(inputUrl, settings),
  outputUrl: outputUrl && browserAddress(outputUrl, settings),
  thumbnailUrl: thumbnailUrl && browserAddress(thumbnailUrl, settings),
  width,
  height,
});

const displayImageOf = (
  { url, thumbnailUrl, width, height }: DisplayImage,
  settings: AppLoadContext['settings'],
): DisplayImage => ({
  url: browserAddress(url, settings),
  thumbnailUrl: browserAddress(thumbnailUrl, settings),
  width,
  height,
});
