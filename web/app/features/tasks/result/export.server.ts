import { resultRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data, redirect } from '@remix-run/node';
import { type ApiError, callApi, EXPORT_TIMEOUT_MS } from '../../../http/api.server';
import { readFields } from '../../../http/form.server';
import { preserveVersionParam } from '../../../http/landing';
import { asApiError, problemViewOf, throwPageFor } from '../../../http/problem.server';
import { asVisitor, startLogin } from '../../../session/visitor.server';
import { taskViewOf } from '../task/task.server';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Has the clean file made and leads to it. A form is led to the file itself, which downloads while the page stays; a
 * script is told its address.
 */
export async function exportResult({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request, context);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const taskId = fields.get('taskId') ?? '';
  if (!UUID.test(taskId)) return throwPageFor('tasks.not_found', context);
  const isScript = fields.has('byScript');
  try {
    const downloadUrl = await makeFile(taskId, fields.get('format') || undefined, { request, context, headers });
    return isScript
      ? data({ downloadUrl, problem: null }, { headers })
      : redirect(downloadUrl, { status: 303, headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'users.not_authorized') return startLogin(request, context, headers);
    if (isScript) return data({ downloadUrl: null, problem: problemViewOf(problem) }, { headers });
    return redirect(problemAddress(taskId, problem, request), { status: 303, headers });
  }
}

interface Calling {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly headers: Headers;
}

async function makeFile(taskId: string, format: string | undefined, { request, context, headers }: Calling) {
  const { result: task } = await asVisitor(request, context, headers, (token) =>
    callApi(
      resultRoutes.exportTask,
      { params: { taskId }, body: { outputContentType: format } },
      { request, context, token, timeoutMs: EXPORT_TIMEOUT_MS },
    ),
  );
  const { output } = taskViewOf(task, context);
  if (!output) throw new Error('an export without a file');
  return output.downloadUrl;
}

/** The result again, with what went wrong. */
const problemAddress = (taskId: string, { code }: ApiError, request: Request): string =>
  preserveVersionParam(`/result?${new URLSearchParams({ taskId, problem: code })}`, new URL(request.url).search);
