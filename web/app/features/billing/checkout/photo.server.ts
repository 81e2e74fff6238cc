import { type Task, taskRoutes } from '@clearframe/contract';
import { ApiError, callApi } from '../../../http/api.server';
import { browserAddress } from '../../../http/api-addresses.server';
import { type Exchange, tokenOf } from '../../../session/visitor.server';
import type { PhotoView } from '../payment/order';

export async function readPhoto(
  taskId: string | null,
  { request, context }: Pick<Exchange, 'request' | 'context'>,
): Promise<PhotoView | null> {
  const token = taskId && (await tokenOf(request, context));
  if (!taskId || !token) return null;
  try {
    const task = await callApi(taskRoutes.getTask, { params: { taskId } }, { request, context, token });
    return photoOf(task, (address) => browserAddress(address, context.settings));
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code, taskId }, 'checkout without its photo');
    return null;
  }
}

/** The newest result that is no preview: what is paid for. */
function photoOf({ input, result }: Task, browserUrl: (address: string) => string): PhotoView | null {
  const output = result.outputs.find(({ isPreview }) => !isPreview);
  if (!output?.display) return null;
  const { url, thumbnailUrl, width, height } = output.display;
  return {
    url: browserUrl(url),
    thumbnailUrl: browserUrl(thumbnailUrl),
    display: { width, height },
    fileName: input.fileName,
    size: { width: output.width, height: output.height },
  };
}
