import { taskRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { downloadFromApi } from '../../http/api.server';
import { tokenOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import { chosenIn, throwNothingSelected } from './history.server';

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const url = new URL(request.url);
  const taskIds = chosenIn(url);
  const token = await tokenOf(request, context);
  if (taskIds.length === 0) return throwNothingSelected(request, context);
  if (!token) throw seeOther('/history', request);
  return await trackOperation({ kind: 'download', details: { file: 'archive' } }, { request, context }, () =>
    downloadFromApi(taskRoutes.downloadTaskArchive, { query: { taskIds } }, { context, request, token }),
  );
}
