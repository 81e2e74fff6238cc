import { type BulkUpload, type ErrorCode, hasResult, resultRoutes, type Task } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { ApiError, callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { batchAddress } from '../../session/task-addresses';
import { tokenOf } from '../../session/visitor.server';
import { cancelTask, shownOutputOf } from '../tasks/task.server';
import { choicesOf, isSameChoice } from '../tools/choices';
import { bulkUploadIdIn, readBatch } from './batch.server';
import type { BatchResponse } from './batch-view';

const batchForm = z.object({
  intent: z.enum(['apply', 'cancel', 'retry', 'retryAll']),
  taskId: z.guid().optional(),
  /** The result whose look is applied; absent: the newest. */
  outputId: z.guid().optional(),
});
type BatchForm = z.output<typeof batchForm>;

interface Call {
  readonly context: AppLoadContext;
  readonly request: Request;
  readonly token: string | null;
}

export async function changeBatch({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, context, batchForm);
  const bulkUploadId = bulkUploadIdIn(request);
  const respond = (problem: ErrorCode | null, isSameLook = false, status = 200) =>
    data<BatchResponse>({ problem, isSameLook }, { status });
  try {
    const call = { context, request, token: await tokenOf(request, context) };
    const hasChanged = await change(form, bulkUploadId, call);
    if (!hasChanged && form.intent === 'apply') return respond(null, true);
    if (hasChanged) await rememberRunning({ request, context });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'users.not_authorized') throw problem;
    return respond(problem.code, false, problem.status);
  }
  return seeOther(batchAddress(bulkUploadId), request);
}

async function change({ intent, taskId, outputId }: BatchForm, bulkUploadId: string, call: Call): Promise<boolean> {
  switch (intent) {
    case 'cancel':
      await cancel(taskId, call);
      return false;
    case 'retry':
      return processAgain(bulkUploadId, call, ({ taskList }) =>
        ordersOf(taskList.filter((task) => task.taskId === taskId && task.status === 'failed')),
      );
    case 'retryAll':
      return processAgain(bulkUploadId, call, ({ taskList }) =>
        ordersOf(taskList.filter(({ status }) => status === 'failed')),
      );
    case 'apply':
      return processAgain(bulkUploadId, call, ({ taskList }) => lookOrders(taskList, taskId, outputId ?? null, call));
  }
}

/** A photo that has just ended needs no cancelling. */
async function cancel(taskId: string | undefined, call: Call): Promise<void> {
  if (!taskId) throwPageFor('request.invalid', call.context);
  try {
    await cancelTask(taskId, call.request, call.context);
  } catch (error) {
    if (asApiError(error, call).code !== 'tasks.wrong_state') throw error;
  }
}

type Orders = Parameters<typeof callApi<typeof resultRoutes.reprocessTasks>>[1]['body']['inputReprocessList'];

const ordersOf = (tasks: readonly Task[]): Orders =>
  tasks.map(({ taskId }) => ({ clientTaskId: taskId, preview: false }));

/** Finished photos whose newest result has other tools. Photos that are being processed keep theirs. */
function lookOrders(
  taskList: readonly Task[],
  taskId: string | undefined,
  outputId: string | null,
  call: Call,
): Orders {
  const source = taskList.find((task) => task.taskId === taskId);
  const look = source && shownOutputOf(source, outputId);
  if (!look || look.isPreview) throw ApiError.of('tasks.wrong_state', call.context.requestId);
  const choices = choicesOf(look.aiPipeline);
  const others = taskList.filter((task) => {
    const own = task.result.outputs.find(({ isPreview }) => !isPreview);
    return task !== source && hasResult(task.status) && !(own && isSameChoice(choicesOf(own.aiPipeline), choices));
  });
  return ordersOf(others).map((order) => ({ ...order, aiPipeline: look.aiPipeline }));
}

async function processAgain(
  bulkUploadId: string,
  call: Call,
  ordersFor: (bulk: BulkUpload) => Orders,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const bulk = await readBatch(bulkUploadId, call.request, call.context);
    if (!bulk) throw ApiError.of('bulk_uploads.not_found', call.context.requestId);
    const inputReprocessList = ordersFor(bulk);
    if (inputReprocessList.length === 0) return false;
    try {
      await callApi(resultRoutes.reprocessTasks, { params: { bulkUploadId }, body: { inputReprocessList } }, call);
      return true;
    } catch (error) {
      if (attempt > 1 || asApiError(error, call).code !== 'tasks.wrong_state') throw error;
    }
  }
}
