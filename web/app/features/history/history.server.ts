import {
  type ErrorCode,
  isErrorCode,
  type Role,
  TASK_LIST_MAX,
  type Task,
  taskRoutes,
  userRoutes,
} from '@clearframe/contract';
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { returnAddressIn } from '../../http/internal-address';
import { asApiError } from '../../http/problem.server';
import { type DeletionTime, formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { formatRelativeTime } from '../../i18n/relative-time';
import { flashOf } from '../../session/account-flashes';
import { consumeFlash, setFlash } from '../../session/flash.server';
import { asVisitor, type Exchange, tokenOf } from '../../session/visitor.server';
import { shownOutputOf, taskViewOf } from '../tasks/task.server';
import type { TaskView } from '../tasks/task-view';
import { filterIn, type HistoryFilter, historyAddress, queryOf } from './filters';

/** What the visitor may download: the full size, a smaller preview, or a file with watermark. */
export type DownloadKind = 'full' | 'small' | 'watermarked';

export interface HistoryItem {
  readonly task: TaskView;
  readonly createdAt: string;
  /** 'two hours ago', in the visitor's language. */
  readonly createdAgo: string;
  readonly deletion: DeletionTime;
  /** Null without a result. */
  readonly download: DownloadKind | null;
  readonly hasOriginal: boolean;
  readonly batchSize: number;
}

interface HistoryPage {
  readonly items: readonly HistoryItem[];
  readonly filter: HistoryFilter;
  /** Cursors of the neighboring pages. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly problem: ErrorCode | null;
}

/** Fills whole rows at every width: a multiple of 2, 3 and 4. */
const PAGE_SIZE = 12;

type Listed = Pick<HistoryPage, 'newer' | 'older'> & { readonly tasks: readonly Task[]; readonly role: Role };

const NOTHING: Listed = { tasks: [], role: 'guest', newer: null, older: null };

/** A page of past photos, newest first. `?after=` and `?before=` are the ids of photos on neighboring pages. */
export async function loadHistory({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const filter = filterIn(searchParams);
  const [listed, t, language] = await Promise.all([
    listTasks(searchParams, filter, { request, context }),
    translatorFor(request, 'account'),
    languageOf(request),
  ]);
  if (listed === null) throw seeOther(historyAddress(filter), request);
  const now = new Date();
  const { tasks, role, ...cursors } = listed;
  const items = tasks.map((task) => itemOf(task, role, now, language, context));
  const problem = searchParams.get('problem');
  const page: HistoryPage = { ...cursors, items, filter, problem: problem && isErrorCode(problem) ? problem : null };
  const flash = flashOf(await consumeFlash({ request, context }));
  return { page, flash, title: t('history.title') };
}

/** Null when there is nothing next to the cursor, or its photo has been deleted: the first page follows. */
async function listTasks(
  searchParams: URLSearchParams,
  filter: HistoryFilter,
  exchange: Exchange,
): Promise<Listed | null> {
  const { request, context } = exchange;
  if (!(await tokenOf(request, context))) return NOTHING;
  const after = searchParams.get('after') ?? undefined;
  const before = after === undefined ? (searchParams.get('before') ?? undefined) : undefined;
  const query = { ...queryOf(filter), limit: PAGE_SIZE, startingAfter: after, endingBefore: before };
  try {
    const { result } = await asVisitor(exchange, (token) => {
      const caller = { context, request, token };
      return Promise.all([
        callApi(taskRoutes.listTasks, { query }, caller),
        callApi(userRoutes.getCurrentUser, {}, caller),
      ]);
    });
    const [{ data: tasks, hasMore }, { role }] = result;
    const [first, last] = [tasks.at(0)?.taskId ?? null, tasks.at(-1)?.taskId ?? null];
    if (before !== undefined) return hasMore ? { tasks, role, newer: first, older: last } : null;
    if (after !== undefined && first === null) return null;
    return { tasks, role, newer: after === undefined ? null : first, older: hasMore ? last : null };
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'tasks.not_found' || problem.code === 'request.invalid') return null;
    throw problem;
  }
}

function itemOf(task: Task, role: Role, now: Date, language: string, context: AppLoadContext): HistoryItem {
  return {
    task: taskViewOf(task, context),
    createdAt: task.createdAt,
    createdAgo: formatRelativeTime(new Date(task.createdAt), now, language),
    deletion: formatDeletionTime(task.expiresAt, now, language),
    download: downloadKindOf(task, role),
    hasOriginal: task.inputUrl !== null,
    batchSize: task.bulkUploadSize,
  };
}

/** Depends on the current plan (decisions, section 3). */
export function downloadKindOf(task: Task, role: Role): DownloadKind | null {
  const output = shownOutputOf(task, null);
  if (!output || output.isPreview) return null;
  if (output.hasWatermark) return 'watermarked';
  return role === 'personal' && task.status !== 'exported' && !output.isUntouched ? 'small' : 'full';
}

/** The page of the list to return to, without an earlier problem. */
export function listIn(search: string): URL {
  const back = returnAddressIn(search);
  const list = new URL(back.startsWith('/history') ? back : '/history', 'http://list.invalid');
  list.searchParams.delete('problem');
  return list;
}

/** Returns to the list, which says that nothing is selected: without JavaScript its buttons are always enabled. */
export async function throwNothingSelected(request: Request, context: AppLoadContext): Promise<never> {
  const { search } = new URL(request.url);
  const { pathname, search: filter } = listIn(search);
  await setFlash('nothingSelected', context);
  throw seeOther(`${pathname}${filter}`, request);
}

/** Ids of the selected photos. */
export const chosenIn = ({ searchParams }: URL): string[] =>
  [...new Set(searchParams.getAll('taskId'))].slice(0, TASK_LIST_MAX);
