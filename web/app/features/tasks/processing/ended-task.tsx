import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { MessagePage } from '../../../ui/content/message-page';
import { Notice } from '../../../ui/content/notice';
import { buttonClass } from '../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { AppLink } from '../../../ui/page/app-link';
import { batchAddress } from '../filmstrip/filmstrip-view';
import type { TaskView } from '../task/task-view';

interface EndedTaskProps {
  readonly task: TaskView;
  /** Error of trying again. */
  readonly problem: ProblemView | null;
}

/** A task that has failed or was cancelled. */
export function EndedTask({ task: { taskId, batchId, state, fileName }, problem }: EndedTaskProps) {
  const { t } = useTranslation(['processing', 'common']);
  const title = state.kind === 'failed' || state.kind === 'invalid' ? t(`${state.kind}.title`) : t('cancelled.title');
  const canRetry = state.kind === 'failed';
  return (
    <MessagePage
      title={title}
      actions={
        <>
          {canRetry && (
            <SubmitForm method="post" action={`/processing?taskId=${taskId}`}>
              <SubmitButton kind="primary" name="intent" value="retry">
                {t('common:tryAgain')}
              </SubmitButton>
            </SubmitForm>
          )}
          {batchId && (
            <AppLink to={batchAddress(batchId)} className={buttonClass(canRetry ? 'quiet' : 'primary')}>
              {t('batch.back')}
            </AppLink>
          )}
          <AppLink to="/" reloadDocument className={buttonClass(canRetry || batchId ? 'quiet' : 'primary')}>
            {state.kind === 'invalid' ? t('invalid.other') : t('common:startOver')}
          </AppLink>
        </>
      }
    >
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      {'code' in state && <p>{t(`common:errors.${state.code}`)}</p>}
      <p>{t('common:originalSafe')}</p>
      {fileName && <p className="text-base break-words">{fileName}</p>}
    </MessagePage>
  );
}
