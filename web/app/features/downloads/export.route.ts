import { resultRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { type ApiError, callApi, EXPORT_TIMEOUT_MS } from '../../http/api.server';
import { parseForm } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { resultAddress } from '../../session/task-addresses';
import { asVisitor, type Exchange, scriptProblem, startLogin } from '../../session/visitor.server';
import { taskViewOf } from '../tasks/task.server';
import { trackOperation } from '../telemetry/operations.server';
import { DOWNLOAD_FORMATS, type DownloadFormat } from './download-view';

/** Reached after a login that interrupted the export. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam('/history', new URL(request.url).search), 303);

const exportForm = z.object({
  taskId: z.guid(),
  /** The displayed result; the newest by default. */
  outputId: z.guid().optional(),
  /** The result's own by default. */
  format: z.enum(Object.keys(DOWNLOAD_FORMATS) as [DownloadFormat, ...DownloadFormat[]]).optional(),
  /** Set by the page's script, which gets JSON with the file's URL or the problem instead of a redirect. */
  byScript: z.string().optional(),
});

/** Renders the clean file and redirects to it, or returns its URL to the page's script. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await parseForm(request, context, exportForm);
  if (form.status !== 'success') return throwPageFor('tasks.not_found', context);
  const { taskId, outputId, format, byScript } = form.value;
  const isScript = byScript !== undefined;
  const headers = new Headers({ 'cache-control': 'no-store' });
  const exchange = { request, context, headers };
  try {
    const downloadUrl = await trackOperation({ kind: 'download', details: { file: 'result' } }, exchange, () =>
      exportFile({ taskId, outputId, format }, exchange),
    );
    return isScript ? Response.json({ downloadUrl }, { headers }) : redirect(downloadUrl, { status: 303, headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (isScript) return scriptProblem(problem, headers);
    if (problem.code === 'users.not_authorized') return startLogin(exchange);
    return redirect(problemAddress(taskId, problem, request), { status: 303, headers });
  }
}

async function exportFile(
  { taskId, outputId, format }: Pick<z.output<typeof exportForm>, 'taskId' | 'outputId' | 'format'>,
  exchange: Exchange,
) {
  const { request, context } = exchange;
  const { result: task } = await asVisitor(exchange, (token) =>
    callApi(
      resultRoutes.exportTask,
      { params: { taskId }, body: { outputId, ...(format ? exportBody(format) : {}) } },
      { request, context, token, timeoutMs: EXPORT_TIMEOUT_MS },
    ),
  );
  const { output } = taskViewOf(task, context, outputId);
  if (!output) throw new Error('export without a file');
  return output.downloadUrl;
}

function exportBody(format: DownloadFormat) {
  const { name: _, ...body } = DOWNLOAD_FORMATS[format];
  return body;
}

const problemAddress = (taskId: string, { code }: ApiError, request: Request): string =>
  preserveVersionParam(resultAddress(taskId, { problem: code }), new URL(request.url).search);
