import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { Notice } from '../../../ui/content/notice';
import { ProgressBar } from '../../../ui/content/progress-bar';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { useAppNavigate } from '../../../ui/page/app-link';
import { DimmedPicture } from '../../../ui/picture/dimmed-picture';
import type { TaskView } from '../task/task-view';
import { useTask } from '../task/use-task';
import { usePolling } from './use-polling';

interface ProcessingProps {
  readonly task: TaskView;
  readonly problem: ProblemView | null;
}

/** Progress from which 'nearly done' is shown. */
const NEARLY_DONE = 0.95;

export function Processing({ task: initial, problem }: ProcessingProps) {
  const { t, i18n } = useTranslation(['processing', 'common']);
  const navigate = useAppNavigate();
  const { task, isDelayed, refresh } = useTask(initial);
  usePolling(refresh);
  // Keeps the first signed URL, so that the picture loads once.
  const pictureUrl = useFirst(task.inputUrl);

  const { kind } = task.state;
  useEffect(() => {
    void i18n.loadNamespaces('result');
  }, [i18n]);
  useEffect(() => {
    if (kind === 'done') navigate(`/result?taskId=${task.taskId}&mediaType=image`, { replace: true });
    else if (kind === 'failed' || kind === 'invalid' || kind === 'cancelled') {
      navigate(`/processing?taskId=${task.taskId}`, { replace: true });
    }
  }, [kind, task.taskId, navigate]);

  return (
    <section className="mx-auto flex w-full max-w-3xl flex-1 flex-col justify-center gap-5 px-5 py-6 sm:px-8">
      <h1 className="sr-only">{t('title')}</h1>
      <div className="grid aspect-[4/5] grid-cols-1 max-h-[68svh] w-full overflow-hidden rounded-picture shadow-float sm:aspect-[4/3]">
        <DimmedPicture src={pictureUrl} alt={t('alt')}>
          <div className="flex w-full flex-col gap-4">
            {task.fileName && <p className="truncate text-sm opacity-80">{task.fileName}</p>}
            <p aria-live="polite" className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">
              {statusText(task, t)}
            </p>
            <ProgressBar label={t('label')} value={task.state.kind === 'working' ? task.state.progress : null} />
          </div>
        </DimmedPicture>
      </div>
      {isDelayed && <Notice>{t('delayed')}</Notice>}
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-sm text-muted">{t('stay')}</p>
        <SubmitForm method="post" action={`/processing?taskId=${task.taskId}`}>
          <SubmitButton kind="quiet">{t('common:cancel')}</SubmitButton>
        </SubmitForm>
      </div>
    </section>
  );
}

/** The first value that is not null. */
function useFirst<Value>(value: Value | null): Value | null {
  const [first, setFirst] = useState(value);
  if (first === null && value !== null) setFirst(value);
  return first ?? value;
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
