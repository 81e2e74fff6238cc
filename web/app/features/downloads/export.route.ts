import { resultRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { isByScript, seeOther } from '../../http/answer.server';
import { callApi, EXPORT_TIMEOUT_MS } from '../../http/api.server';
import { parseForm } from '../../http/form.server';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { resultAddress } from '../../session/task-addresses';
import { asVisitor, type Exchange } from '../../session/visitor.server';
import { taskViewOf } from '../tasks/task.server';
import { trackOperation } from '../telemetry/operations.server';
import { DOWNLOAD_FORMATS, type DownloadFormat } from './download-view';

/** Reached after a login that interrupted the export. */
export const loader = ({ request }: LoaderFunctionArgs) => seeOther('/history', request);

const exportForm = z.object({
  taskId: z.guid(),
  /** The displayed result; the newest by default. */
  outputId: z.guid().optional(),
  /** The result's own by default. */
  format: z.enum(Object.keys(DOWNLOAD_FORMATS) as [DownloadFormat, ...DownloadFormat[]]).optional(),
});

/** Renders the clean file and redirects to it, or returns its URL to the page's script. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await parseForm(request, context, exportForm);
  if (form.status !== 'success') return throwPageFor('tasks.not_found', context);
  const { taskId, outputId, format } = form.value;
  const isScript = isByScript(request);
  const exchange = { request, context };
  try {
    const downloadUrl = await trackOperation({ kind: 'download', details: { file: 'result' } }, exchange, () =>
      exportFile({ taskId, outputId, format }, exchange),
    );
    return isScript ? Response.json({ downloadUrl }) : redirect(downloadUrl, 303);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (isScript || problem.code === 'users.not_authorized') throw problem;
    return seeOther(resultAddress(taskId, { problem: problem.code }), request);
  }
}

async function exportFile(
  { taskId, outputId, format }: Pick<z.output<typeof exportForm>, 'taskId' | 'outputId' | 'format'>,
  exchange: Exchange,
) {
  const { request, context } = exchange;
  const { result: task } = await asVisitor(
    exchange,
    (token) =>
      callApi(
        resultRoutes.exportTask,
        { params: { taskId }, body: { outputId, ...(format ? exportBody(format) : {}) } },
        { request, context, token, timeoutMs: EXPORT_TIMEOUT_MS },
      ),
    { keepsSession: isByScript(request) },
  );
  const { output } = taskViewOf(task, context, outputId);
  if (!output) throw new Error('export without a file');
  return output.downloadUrl;
}

function exportBody(format: DownloadFormat) {
  const { name: _, ...body } = DOWNLOAD_FORMATS[format];
  return body;
}
