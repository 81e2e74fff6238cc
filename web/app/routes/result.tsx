import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Result } from '../features/result/result';
import { loadTask, taskIdIn } from '../features/task/task.server';
import { translatorFor } from '../i18n/i18n.server';
import { keepLanding } from '../landing';

export const handle = { i18n: ['result'] };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const task = await loadTask(taskIdIn(request), request, context);
  const { output } = task;
  if (task.state.kind !== 'done' || !output)
    throw redirect(keepLanding(`/processing?taskId=${task.taskId}`, new URL(request.url).search), 303);
  const t = await translatorFor(request, 'result');
  return data({ task: { ...task, output }, title: t('title') }, { headers: { 'cache-control': 'private, no-cache' } });
}

export { pageHeaders as headers } from '../page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function ResultPage() {
  const { task } = useLoaderData<typeof loader>();
  return <Result key={task.taskId} task={task} />;
}
