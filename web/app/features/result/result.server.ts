import { type ExportState, isErrorCode, type User } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { toastDelayOf } from '../../session/account-flashes';
import { consumeFlash, type Flash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { processingAddress, videoAddress } from '../../session/task-addresses';
import type { Exchange } from '../../session/visitor.server';
import { SUCCESS_PARAMETER, type Success } from '../checkout/success';
import { photoSuccess, planSuccess } from '../checkout/success.server';
import { downloadOf } from '../downloads/download.server';
import { filmstripOf } from '../filmstrip/filmstrip.server';
import { outputIdIn, readTask, shownOutputOf, taskIdIn, taskViewOf } from '../tasks/task.server';
import { toolsResponseIn, toolsViewOf } from '../tools/tools-view.server';

/**
 * A finished picture with its downloads and tools, also while it is processed again; redirects to the processing page
 * while there is no result. `?sharingId=` is the page of a public link.
 */
export async function loadResult({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const sharingId = searchParams.get('sharingId');
  if (sharingId) throw seeOther(`/s/${encodeURIComponent(sharingId)}`, request);
  const resource = await readTask(taskIdIn(request), request, context);
  if (resource.mediaType === 'video') throw seeOther(videoAddress(resource.taskId), request);
  const task = taskViewOf(resource, context, outputIdIn(request));
  const shown = shownOutputOf(resource, outputIdIn(request));
  const { output } = task;
  if (!shown || !output) throw seeOther(processingAddress(task.taskId), request);
  const finished = { ...task, output };
  const user = await fetchMe({ request, context });
  const [t, language, download, tools, flash, filmstrip, success] = await Promise.all([
    translatorFor(request, 'result'),
    languageOf(request),
    downloadOf(finished, user, request, context),
    toolsViewOf(resource, shown, user, request, context),
    consumeFlash({ request, context }),
    filmstripOf(resource, request, context),
    successOf(searchParams.get(SUCCESS_PARAMETER), task.exportState, user, { request, context }),
  ]);
  const problem = searchParams.get('problem');
  return {
    task: finished,
    download,
    tools,
    filmstrip,
    toolsResponse: toolsResponseIn(request, task.lastProblem),
    deletion: formatDeletionTime(task.expiresAt, new Date(), language),
    title: t('title'),
    flash: flashOf(flash, task.exportState),
    problem: problem !== null && isErrorCode(problem) ? problem : null,
    startsDownload: searchParams.has('download'),
    /** Null unless the visitor comes from a payment. */
    success,
  };
}

export type LoadedResult = Awaited<ReturnType<typeof loadResult>>;

async function successOf(
  bought: string | null,
  exportState: ExportState,
  user: User | null,
  exchange: Exchange,
): Promise<Success | null> {
  if (bought === 'photo' && exportState === 'ready') return photoSuccess(user, exchange);
  const isSubscribed = user?.role === 'personal' || user?.role === 'business';
  return bought === 'plan' && isSubscribed ? planSuccess(user, exchange) : null;
}

const MESSAGES = {
  paid: 'paid',
  paidTwice: 'common:errors.payments.duplicate',
  subscribed: 'subscribed',
  firstOfSeveral: 'firstOfSeveral',
} as const;

/** The page says it nowhere else. */
const LASTING: readonly string[] = ['paidTwice', 'firstOfSeveral'] satisfies (keyof typeof MESSAGES)[];

const isMessage = (name: string): name is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, name);

function flashOf(flash: Flash | null, exportState: ExportState) {
  if (!flash || !isMessage(flash.message)) return null;
  const { id, message } = flash;
  const text = message === 'paid' && exportState === 'preparing' ? 'paidPreparing' : MESSAGES[message];
  return { id, message, text, delayMs: toastDelayOf(message), isLasting: LASTING.includes(message) } as const;
}
