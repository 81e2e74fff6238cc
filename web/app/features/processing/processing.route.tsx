import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemData } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { rememberRunning } from '../../session/photos-state.server';
import { processingAddress, resultAddress, videoAddress } from '../../session/task-addresses';
import { filmstripOf } from '../filmstrip/filmstrip.server';
import { cancelTask, outputIdIn, readTask, retryTask, taskIdIn, taskViewOf } from '../tasks/task.server';
import type { TaskView } from '../tasks/task-view';
import { deletionOf } from './deletion.server';
import { EndedMedia, isEnded } from './ended-media';
import { FirstOfSeveral, filesIn } from './first-of-several';
import { trackProcessEnd } from './process-end.server';
import { Processing } from './processing';

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
  if (resource.mediaType === 'video')
    throw redirect(preserveVersionParam(videoAddress(resource.taskId), new URL(request.url).search));
  const task = taskViewOf(resource, context, outputIdIn(request));
  const { state } = task;
  trackProcessEnd({ mediaType: 'image', state }, { request, context });
  const { kind } = state;
  const { search, searchParams } = new URL(request.url);
  const files = filesIn(searchParams);
  // A picture that is processed again has a result to show.
  if (kind === 'done' || (task.output && (kind === 'waiting' || kind === 'working')))
    throw await redirectToResult(task.taskId, { files, search, context });
  const [t, language, filmstrip] = await Promise.all([
    translatorFor(request, 'processing'),
    languageOf(request),
    filmstripOf(resource, request, context),
  ]);
  const deletion = deletionOf(task, language);
  return data(
    { task, filmstrip, files, deletion, title: t(isEnded(state) ? `${state.kind}.title` : 'title') },
    { headers: { 'cache-control': 'private, no-cache' } },
  );
}

interface Arrival {
  readonly files: number | null;
  readonly search: string;
  readonly context: AppLoadContext;
}

async function redirectToResult(taskId: string, { files, search, context }: Arrival): Promise<Response> {
  const headers = new Headers();
  if (files !== null) await setFlash('firstOfSeveral', headers, context);
  return redirect(preserveVersionParam(resultAddress(taskId), search), { status: 303, headers });
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
      await rememberRunning({ request, context, headers });
    }
  } catch (error) {
    const problem = asApiError(error, context);
    // The task finished or was started first: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') return problemData(problem, headers);
  }
  const next = preserveVersionParam(processingAddress(taskId), new URL(request.url).search);
  return redirect(next, { status: 303, headers });
}

export { pageHeaders as headers } from '../../http/page-headers';
export { unlistedMeta as meta } from '../../http/page-meta';

export default function ProcessingPage() {
  const { task, filmstrip, files } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const problem = answer?.problem ?? null;
  const { taskId, batchId, state, fileName } = task;
  if (isEnded(state))
    return <EndedMedia mediaType="image" {...{ taskId, batchId, state, fileName }} problem={problem?.code ?? null} />;
  const note = files !== null && <FirstOfSeveral files={files} />;
  return <Processing key={task.taskId} task={task} filmstrip={filmstrip} problem={problem} note={note} />;
}
