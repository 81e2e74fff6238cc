import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/problem';
import { batchAddress, processingAddress, resultAddress } from '../../session/task-addresses';
import { Notice } from '../../ui/content/notice';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useAppNavigate } from '../../ui/page/app-link';
import { useLocalPicture } from '../../ui/picture/local-picture';
import { StageLayout } from '../../ui/stage/stage-layout';
import { StagePicture } from '../../ui/stage/stage-picture';
import { StageStatus } from '../../ui/stage/stage-status';
import { Filmstrip } from '../filmstrip/filmstrip';
import type { FilmstripView } from '../filmstrip/filmstrip-view';
import { StageLinks } from '../shell/header';
import type { TaskView } from '../tasks/task-view';
import { useProcessOperation } from '../tasks/use-process-operation';
import { useTask } from '../tasks/use-task';
import { RemainingTime } from './remaining-time';
import { useFilmstrip } from './use-filmstrip';

interface ProcessingProps {
  readonly task: TaskView;
  readonly filmstrip: FilmstripView | null;
  readonly problem: ProblemView | null;
  readonly note?: ReactNode;
}

const NEARLY_DONE = 0.95;

export function Processing({ task: initial, filmstrip: initialFilmstrip, problem, note }: ProcessingProps) {
  const { t, i18n } = useTranslation(['processing', 'common']);
  const filmstrip = useFilmstrip(initialFilmstrip);
  const navigate = useAppNavigate();
  const { task, isDelayed } = useTask(initial);
  useProcessOperation('image', [task]);
  // The first signed URL, so that the picture loads once.
  const displayUrl = useFirst(task.display.inputUrl);
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
          {note}
          {isDelayed && <Notice>{t('delayed')}</Notice>}
          {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
        </>
      }
    >
      <StagePicture sources={[localUrl, displayUrl]} alt={t('alt')} />
    </StageLayout>
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
