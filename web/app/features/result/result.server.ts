import { type ExportState, isErrorCode } from '@clearframe/contract';
import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, throwProblemPage } from '../../http/problem.server';
import { formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { toastDelayOf } from '../../session/account-flashes';
import { consumeFlash, type Flash } from '../../session/flash.server';
import { loadMe } from '../../session/me.server';
import { processingAddress, videoAddress } from '../../session/task-addresses';
import { downloadOf } from '../downloads/download.server';
import { filmstripOf } from '../filmstrip/filmstrip.server';
import { outputIdIn, readTask, shownOutputOf, taskIdIn, taskViewOf } from '../tasks/task.server';
import { toolsResponseIn, toolsViewOf } from '../tools/tools-view.server';

/**
 * A finished picture with its downloads and tools, also while it is processed again; redirects to the processing page
 * while there is no result. `?sharingId=` is the page of a public link.
 */
export async function loadResult({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const sharingId = searchParams.get('sharingId');
  if (sharingId) throw redirect(preserveVersionParam(`/s/${encodeURIComponent(sharingId)}`, search));
  const resource = await readTask(taskIdIn(request), request, context);
  if (resource.mediaType === 'video') throw redirect(preserveVersionParam(videoAddress(resource.taskId), search));
  const task = taskViewOf(resource, context, outputIdIn(request));
  const shown = shownOutputOf(resource, outputIdIn(request));
  const { output } = task;
  if (!shown || !output) throw redirect(preserveVersionParam(processingAddress(task.taskId), search), 303);
  const headers = new Headers({ 'cache-control': 'private, no-cache' });
  const finished = { ...task, output };
  const user = await loadMe({ request, context, headers });
  const [t, language, download, tools, flash, filmstrip] = await Promise.all([
    translatorFor(request, 'result'),
    languageOf(request),
    downloadOf(finished, user, request, context).catch((error: unknown) => {
      request.signal.throwIfAborted();
      return throwProblemPage(asApiError(error, context), headers);
    }),
    toolsViewOf(resource, shown, user, request, context).catch((error: unknown) => {
      request.signal.throwIfAborted();
      return throwProblemPage(asApiError(error, context), headers);
    }),
    consumeFlash({ request, context, headers }),
    filmstripOf(resource, request, context),
  ]);
  const problem = searchParams.get('problem');
  return data(
    {
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
    },
    { headers },
  );
}

export type LoadedResult = Awaited<ReturnType<typeof loadResult>>['data'];

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
