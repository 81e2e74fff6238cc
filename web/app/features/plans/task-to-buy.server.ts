import { type Task, taskRoutes } from '@clearframe/contract';
import { ApiError, callApi } from '../../http/api.server';
import { type Exchange, tokenOf } from '../../session/visitor.server';

/** The photo that a purchase is for; null without one, and when it can't be read. */
export async function readTaskToBuy(taskId: string | null, { request, context }: Exchange): Promise<Task | null> {
  const token = taskId && (await tokenOf(request, context));
  if (!taskId || !token) return null;
  try {
    return await callApi(taskRoutes.getTask, { params: { taskId } }, { request, context, token });
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code, taskId }, 'an offer without its photo');
    return null;
  }
}

/** Nothing is sold for it any more. */
export const isPaidFor = (task: Task | null): boolean => task !== null && task.exportState !== 'none';
