import { taskRoutes } from '@clearframe/contract';
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { downloadFromApi } from '../../http/api.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError } from '../../http/problem.server';
import { throwRefusal } from '../../session/me.server';
import { tokenOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import { chosenIn, throwNothingSelected } from './history.server';

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const url = new URL(request.url);
  const taskIds = chosenIn(url);
  const token = await tokenOf(request, context);
  if (taskIds.length === 0) return throwNothingSelected(request, context);
  if (!token) throw redirect(preserveVersionParam('/history', url.search));
  try {
    return await trackOperation({ kind: 'download', details: { file: 'archive' } }, { request, context }, () =>
      downloadFromApi(taskRoutes.archiveTasks, { query: { taskIds } }, { context, request, token }),
    );
  } catch (error) {
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), { request, context });
  }
}
