import { type Task, taskRoutes } from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { asApiError } from '../../../http/problem.server';
import { languageOf, translatorFor } from '../../../i18n/i18n.server';
import { consumeFlash } from '../../../session/flash.server';
import { throwRefusal } from '../../../session/me.server';
import { asVisitor, tokenOf } from '../../../session/visitor.server';
import { flashOf } from '../../account/view/flashes';
import { formatDeletionDate } from '../task/deletion-date';
import { taskViewOf } from '../task/task.server';
import type { HistoryItem, HistoryPage } from './history-view';
import { formatRelativeTime } from './relative-time';

/** Fills whole rows at every width: a multiple of 2, 3 and 4. */
const PAGE_SIZE = 12;

const EMPTY_PAGE: HistoryPage = { items: [], next: null, isFirst: true };

/** A page of past photos, newest first. `?after=` is the id of the previous page's last photo. */
export async function loadHistory({ request, context }: LoaderFunctionArgs) {
  const after = new URL(request.url).searchParams.get('after');
  const headers = new Headers({ 'cache-control': 'no-store' });
  const [page, t] = await Promise.all([fetchPage(after, request, context, headers), translatorFor(request, 'account')]);
  // The cursor's photo, or all older ones, have been deleted.
  if (page === null || (after !== null && page.items.length === 0)) throw redirect(firstPage(request), { headers });
  const flash = flashOf(await consumeFlash(request, headers, context));
  return data({ page, flash, title: t('history.title') }, { headers });
}

/** Null for an unknown cursor. */
async function fetchPage(
  after: string | null,
  request: Request,
  context: AppLoadContext,
  headers: Headers,
): Promise<HistoryPage | null> {
  if (!(await tokenOf(request, context))) return EMPTY_PAGE;
  const query = { limit: PAGE_SIZE, ...(after === null ? {} : { startingAfter: after }) };
  try {
    const [language, { result }] = await Promise.all([
      languageOf(request),
      asVisitor(request, context, headers, (token) =>
        callApi(taskRoutes.listTasks, { query }, { context, request, token }),
      ),
    ]);
    const now = new Date();
    return {
      items: result.data.map((task) => itemOf(task, now, language, context)),
      next: result.hasMore ? (result.data.at(-1)?.taskId ?? null) : null,
      isFirst: after === null,
    };
  } catch (error) {
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'tasks.not_found' || problem.code === 'request.invalid') return null;
    return throwRefusal(problem, request, context, headers);
  }
}

function itemOf(task: Task, now: Date, language: string, context: AppLoadContext): HistoryItem {
  return {
    task: taskViewOf(task, context),
    createdAt: task.createdAt,
    createdAgo: formatRelativeTime(new Date(task.createdAt), now, language),
    deletion: formatDeletionDate(task.expiresAt, now, language),
  };
}

function firstPage(request: Request): string {
  const url = new URL(request.url);
  url.searchParams.delete('after');
  return `${url.pathname}${url.search}`;
}
