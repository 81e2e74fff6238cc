import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import type { TaskView } from '../task/task-view';

/** A task that came to no result: what happened and where to go from here. */
export function EndedTask({ task: { state, fileName } }: { readonly task: TaskView }) {
  const { t } = useTranslation(['processing', 'common']);
  const isCancelled = state.kind === 'cancelled';
  const title = state.kind === 'failed' || state.kind === 'invalid' ? t(`${state.kind}.title`) : t('cancelled.title');
  const body = 'code' in state ? t(`common:errors.${state.code}`) : isCancelled && t('cancelled.body');
  return (
    <MessagePage
      title={title}
      actions={
        <AppLink to="/" reloadDocument className={buttonClass('primary')}>
          {t('common:startOver')}
        </AppLink>
      }
    >
      <p>{body}</p>
      {fileName && <p className="text-base break-words">{fileName}</p>}
    </MessagePage>
  );
}
