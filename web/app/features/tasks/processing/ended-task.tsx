import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import type { TaskView } from '../task/task-view';

/** A task that has failed or was cancelled. */
export function EndedTask({ task: { state, fileName } }: { readonly task: TaskView }) {
  const { t } = useTranslation(['processing', 'common']);
  const title = state.kind === 'failed' || state.kind === 'invalid' ? t(`${state.kind}.title`) : t('cancelled.title');
  return (
    <MessagePage
      title={title}
      actions={
        <AppLink to="/" reloadDocument className={buttonClass('primary')}>
          {t('common:startOver')}
        </AppLink>
      }
    >
      {'code' in state && <p>{t(`common:errors.${state.code}`)}</p>}
      <p>{t('common:originalSafe')}</p>
      {fileName && <p className="text-base break-words">{fileName}</p>}
    </MessagePage>
  );
}
