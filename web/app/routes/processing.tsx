import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { filmstripOf } from '../features/tasks/filmstrip/filmstrip.server';
import { EndedTask } from '../features/tasks/processing/ended-task';
import { Processing } from '../features/tasks/processing/processing';
import { formatDeletionDate } from '../features/tasks/task/deletion-date';
import { cancelTask, outputIdIn, readTask, retryTask, taskIdIn, taskViewOf } from '../features/tasks/task/task.server';
import type { TaskView } from '../features/tasks/task/task-view';
import { readForm } from '../http/form.server';
import { preserveVersionParam } from '../http/internal-address';
import { asApiError, problemData } from '../http/problem.server';
import { languageOf, translatorFor } from '../i18n/i18n.server';
import { rememberRunning } from '../session/photos/photos-state.server';

const isInProgress = (loaded: { task: TaskView } | undefined) =>
  ['uploading', 'waiting', 'working'].includes(loaded?.task.state.kind ?? '');

export const handle = {
  i18n: ['processing'],
  showsDeletionDate: true,
  refreshesWithoutScript: isInProgress,
  isStage: isInProgress,
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const resource = await readTask(taskIdIn(request), request, context);
  const task = taskViewOf(resource, context, outputIdIn(request));
  const { kind } = task.state;
  // A picture that is processed again has a result to show.
  if (kind === 'done' || (task.output && (kind === 'waiting' || kind === 'working')))
    throw redirect(
      preserveVersionParam(`/result?taskId=${task.taskId}&mediaType=image`, new URL(request.url).search),
      303,
    );
  const [t, language, filmstrip] = await Promise.all([
    translatorFor(request, 'processing'),
    languageOf(request),
    filmstripOf(resource, request, context),
  ]);
  const deletion = formatDeletionDate(task.expiresAt, new Date(), language);
  return data({ task, filmstrip, deletion, title: t('title') }, { headers: { 'cache-control': 'private, no-cache' } });
}

const taskForm = z.object({ intent: z.enum(['cancel', 'retry']).default('cancel') });

export async function action({ request, context }: ActionFunctionArgs) {
  const taskId = taskIdIn(request);
  const headers = new Headers();
  const { intent } = await readForm(request, context, taskForm);
  try {
    if (intent === 'cancel') await cancelTask(taskId, request, context);
    else {
      await retryTask(taskId, request, context);
      await rememberRunning(request, context, headers);
    }
  } catch (error) {
    const problem = asApiError(error, context);
    // The task finished or was started first: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') return problemData(problem, headers);
  }
  const next = preserveVersionParam(`/processing?taskId=${taskId}`, new URL(request.url).search);
  return redirect(next, { status: 303, headers });
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function ProcessingPage() {
  const { task, filmstrip } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind } = task.state;
  const problem = answer?.problem ?? null;
  if (kind === 'failed' || kind === 'invalid' || kind === 'cancelled')
    return <EndedTask task={task} problem={problem} />;
  return <Processing key={task.taskId} task={task} filmstrip={filmstrip} problem={problem} />;
}
