import type { ErrorCode } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { Notice } from '../../../ui/content/notice';
import { buttonClass } from '../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { AppLink } from '../../../ui/page/app-link';
import type { VideoView } from './video-view';

interface EndedVideoProps {
  readonly video: VideoView;
  /** Error of trying again. */
  readonly problem: ErrorCode | null;
}

/** A video that has failed or was cancelled. */
export function EndedVideo({ video: { taskId, state, fileName }, problem }: EndedVideoProps) {
  const { t } = useTranslation(['processing', 'common']);
  const title = state.kind === 'failed' || state.kind === 'invalid' ? t(`${state.kind}.title`) : t('cancelled.title');
  const canRetry = state.kind === 'failed';
  return (
    <MessagePage
      title={title}
      actions={
        <>
          {canRetry && (
            <SubmitForm method="post" action={`/videos/${taskId}`}>
              <SubmitButton kind="primary" name="intent" value="retry">
                {t('common:tryAgain')}
              </SubmitButton>
            </SubmitForm>
          )}
          <AppLink to="/" reloadDocument className={buttonClass(canRetry ? 'quiet' : 'primary')}>
            {t('video.other')}
          </AppLink>
        </>
      }
    >
      {problem && <Notice>{t(`common:errors.${problem}`)}</Notice>}
      {'code' in state && <p>{t(`common:errors.${state.code}`)}</p>}
      <p>{t('common:originalSafe')}</p>
      {fileName && <p className="text-base break-words">{fileName}</p>}
    </MessagePage>
  );
}
