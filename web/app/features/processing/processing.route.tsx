import type { ErrorCode } from '@clearframe/contract';
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { readForm } from '../../http/form.server';
import { asApiError, problemData } from '../../http/problem.server';
import { usePolled } from '../../http/use-data';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { rememberRunning } from '../../session/photos-state.server';
import { batchAddress, processingAddress, resultAddress, videoAddress } from '../../session/task-addresses';
import { Notice, StatusNote } from '../../ui/content/notice';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink, TEXT_LINK, useAppNavigate } from '../../ui/page/app-link';
import { useLocalPicture, useStableUrl } from '../../ui/picture/picture-url';
import { StageLayout, StageStatus } from '../../ui/stage/stage-layout';
import { StagePicture } from '../../ui/stage/stage-picture';
import { Filmstrip, useFilmstrip } from '../filmstrip/filmstrip';
import { filmstripOf } from '../filmstrip/filmstrip.server';
import { StageLinks } from '../shell/header';
import { cancelTask, outputIdIn, readTask, retryTask, taskIdIn, taskViewOf } from '../tasks/task.server';
import { isOpen, type TaskView, taskDataAddress } from '../tasks/task-view';
import { useProcessOperation } from '../tasks/use-task';
import { EndedMedia, isEnded } from './ended-media';
import { chosenFilesIn, deletionOf, trackProcessEnd } from './processing.server';
import { RemainingTime } from './remaining-time';

const isInProgress = (loaded: { task: TaskView } | undefined) => loaded !== undefined && isOpen(loaded.task);

export const handle = {
  i18n: ['processing'],
  showsDeletionDate: true,
  refreshesWithoutScript: isInProgress,
  isStage: isInProgress,
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const resource = await readTask(taskIdIn(request), request, context);
  if (resource.mediaType === 'video') throw seeOther(videoAddress(resource.taskId), request);
  const task = taskViewOf(resource, context, outputIdIn(request));
  const { state } = task;
  trackProcessEnd({ mediaType: 'image', state }, { request, context });
  const { kind } = state;
  const { searchParams } = new URL(request.url);
  const files = chosenFilesIn(searchParams);
  // A picture that is processed again has a result to show.
  if (kind === 'done' || (task.output && (kind === 'waiting' || kind === 'working')))
    throw await redirectToResult(task.taskId, { files, request, context });
  const [t, language, filmstrip] = await Promise.all([
    translatorFor(request, 'processing'),
    languageOf(request),
    filmstripOf(resource, request, context),
  ]);
  const deletion = deletionOf(task, language);
  return { task, filmstrip, files, deletion, title: t(isEnded(state) ? `${state.kind}.title` : 'title') };
}

interface Arrival {
  readonly files: number | null;
  readonly request: Request;
  readonly context: AppLoadContext;
}

async function redirectToResult(taskId: string, { files, request, context }: Arrival): Promise<Response> {
  if (files !== null) await setFlash('firstOfSeveral', context);
  return seeOther(resultAddress(taskId), request);
}

const taskForm = z.object({ intent: z.enum(['cancel', 'retry']).default('cancel') });

export async function action({ request, context }: ActionFunctionArgs) {
  const taskId = taskIdIn(request);
  const { intent } = await readForm(request, context, taskForm);
  try {
    if (intent === 'cancel') await cancelTask(taskId, request, context);
    else {
      await retryTask(taskId, request, context);
      await rememberRunning({ request, context });
    }
  } catch (error) {
    const problem = asApiError(error, { request, context });
    // The task finished or was started first: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') return problemData(problem);
  }
  return seeOther(processingAddress(taskId), request);
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function ProcessingPage() {
  const { task } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.code ?? null;
  const { taskId, batchId, state, fileName } = task;
  if (isEnded(state)) return <EndedMedia mediaType="image" {...{ taskId, batchId, state, fileName, problem }} />;
  return <Processing key={taskId} problem={problem} />;
}

const NEARLY_DONE = 0.95;

function Processing({ problem }: { readonly problem: ErrorCode | null }) {
  const { t, i18n } = useTranslation(['processing', 'common']);
  const loaded = useLoaderData<typeof loader>();
  const filmstrip = useFilmstrip(loaded.filmstrip);
  const navigate = useAppNavigate();
  const { view: task, isDelayed } = usePolled(
    loaded.task,
    taskDataAddress(loaded.task.taskId, loaded.task.output?.id),
    {
      isChanging: isOpen,
    },
  );
  useProcessOperation('image', [task]);
  const displayUrl = useStableUrl(task.display.inputUrl);
  const localUrl = useLocalPicture(task.taskId);

  const { kind } = task.state;
  useEffect(() => {
    void i18n.loadNamespaces('result');
  }, [i18n]);
  useEffect(() => {
    if (kind === 'done') navigate(resultAddress(task.taskId), { replace: true });
    else if (kind === 'failed' || kind === 'invalid' || kind === 'cancelled') {
      navigate(processingAddress(task.taskId), { replace: true });
    }
  }, [kind, task.taskId, navigate]);

  const { state } = task;
  return (
    <StageLayout
      heading={t('title')}
      back={filmstrip ? { to: batchAddress(filmstrip.batchId), label: t('batch.back') } : undefined}
      fileName={task.fileName}
      tools={<StageLinks />}
      panel={
        <StageStatus
          text={statusText(task, t)}
          label={t('label')}
          progress={state.kind === 'working' ? state.progress : null}
        >
          {task.remainingSeconds !== null && (
            <p>
              <RemainingTime seconds={task.remainingSeconds} />
            </p>
          )}
        </StageStatus>
      }
      filmstrip={filmstrip && <Filmstrip view={filmstrip} taskId={task.taskId} />}
      actions={
        <>
          <p className="flex-1 text-sm text-muted">{t('stay')}</p>
          <SubmitForm method="post" action={processingAddress(task.taskId)}>
            <SubmitButton kind="quiet" size="small" className="min-h-11">
              {t('common:cancel')}
            </SubmitButton>
          </SubmitForm>
        </>
      }
      notices={
        <>
          {loaded.files !== null && <FirstOfSeveral files={loaded.files} />}
          {isDelayed && <Notice>{t('delayed')}</Notice>}
          {problem && <Notice>{t(`common:errors.${problem}`)}</Notice>}
        </>
      }
    >
      <StagePicture sources={[localUrl, displayUrl]} alt={t('alt')} />
    </StageLayout>
  );
}

/** Says that a plan without batches gets only the first of several files enhanced. */
function FirstOfSeveral({ files }: { readonly files: number }) {
  const { t } = useTranslation('processing');
  return (
    <StatusNote>
      {t('firstOf.text', { files })}{' '}
      <AppLink to="/offer/batch" className={TEXT_LINK}>
        {t('firstOf.link')}
      </AppLink>
    </StatusNote>
  );
}

function statusText({ state }: TaskView, t: TFunction<['processing', 'common']>): string {
  switch (state.kind) {
    case 'uploading':
      return t('uploading');
    case 'waiting':
      return state.place === null ? t('starting') : t('waiting', { place: state.place });
    case 'working':
      return state.progress < NEARLY_DONE ? t('enhancing', { progress: state.progress }) : t('nearlyDone');
    default:
      return t('nearlyDone');
  }
}
