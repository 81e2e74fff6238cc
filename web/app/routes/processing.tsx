import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EndedTask } from '../features/tasks/processing/ended-task';
import { Processing } from '../features/tasks/processing/processing';
import { formatDeletionDate } from '../features/tasks/task/deletion-date';
import { cancelTask, loadTask, taskIdIn } from '../features/tasks/task/task.server';
import type { TaskView } from '../features/tasks/task/task-view';
import { preserveVersionParam } from '../http/internal-address';
import { asApiError, problemData } from '../http/problem.server';
import { languageOf, translatorFor } from '../i18n/i18n.server';

export const handle = {
  i18n: ['processing'],
  showsDeletionDate: true,
  refreshesWithoutScript: (loaded: { task: TaskView } | undefined) =>
    ['uploading', 'waiting', 'working'].includes(loaded?.task.state.kind ?? ''),
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const task = await loadTask(taskIdIn(request), request, context);
  const { kind } = task.state;
  // A picture that is processed again has a result to show.
  if (kind === 'done' || (task.output && (kind === 'waiting' || kind === 'working')))
    throw redirect(
      preserveVersionParam(`/result?taskId=${task.taskId}&mediaType=image`, new URL(request.url).search),
      303,
    );
  const [t, language] = await Promise.all([translatorFor(request, 'processing'), languageOf(request)]);
  const deletion = formatDeletionDate(task.expiresAt, new Date(), language);
  return data({ task, deletion, title: t('title') }, { headers: { 'cache-control': 'private, no-cache' } });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const taskId = taskIdIn(request);
  try {
    await cancelTask(taskId, request, context);
  } catch (error) {
    const problem = asApiError(error, context);
    // The task finished first: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') return problemData(problem, new Headers());
  }
  return redirect(preserveVersionParam(`/processing?taskId=${taskId}`, new URL(request.url).search), 303);
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function ProcessingPage() {
  const { task } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind } = task.state;
  if (kind === 'failed' || kind === 'invalid' || kind === 'cancelled') return <EndedTask task={task} />;
  return <Processing key={task.taskId} task={task} problem={answer?.problem ?? null} />;
}
