import type { ErrorCode, MediaType } from '@clearframe/contract';
import ImageOff from 'lucide-react/icons/image-off';
import VideoOff from 'lucide-react/icons/video-off';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { fileErrorKey, isTransferError } from '../../session/file-error';
import { batchAddress, processingAddress } from '../../session/task-addresses';
import { reportError } from '../../telemetry/watch-errors';
import { MessagePage } from '../../ui/content/message-page';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { offerAddress } from '../plans/offer-address';
import type { TaskView } from '../tasks/task-view';
import { errorTexts } from '../upload/error-texts';
import type { LimitRefusal } from '../upload/read-upload-error';

interface EndedMediaProps {
  readonly mediaType: MediaType;
  readonly taskId: string;
  readonly batchId?: string | null;
  readonly state: TaskView['state'] & { readonly kind: EndedKind };
  /** The limit that a video exceeds. */
  readonly refusal?: LimitRefusal | null;
  readonly fileName: string | null;
  readonly problem: ErrorCode | null;
}

type EndedKind = 'failed' | 'invalid' | 'cancelled';

/** Actions of the forms that retry. */
const RETRY_ADDRESS: Readonly<Record<MediaType, (taskId: string) => string>> = {
  image: (taskId) => processingAddress(taskId),
  video: (taskId) => `/videos/${taskId}`,
};

export const isEnded = <State extends { readonly kind: string }>(
  state: State,
): state is State & { readonly kind: EndedKind } =>
  state.kind === 'failed' || state.kind === 'invalid' || state.kind === 'cancelled';

export function EndedMedia(props: EndedMediaProps) {
  const { mediaType, taskId, batchId = null, state, refusal, fileName, problem } = props;
  const { t } = useTranslation(['processing', 'common']);
  const { t: tCommon } = useTranslation('common');
  // Says the same as the check before the file is sent.
  const limit = refusal ? errorTexts(refusal.error, tCommon) : null;
  const hasNotArrived = state.kind === 'invalid' && isTransferError(state.code);
  const title = limit?.title ?? t(hasNotArrived ? 'invalid.upload' : `${state.kind}.title`);
  useEffect(() => {
    // The page may have been loaded with the title of its progress.
    document.title = title;
  }, [title]);
  const canRetry = state.kind === 'failed';
  const code = 'code' in state ? state.code : null;
  useEffect(() => {
    if (canRetry) reportError('media', Object.assign(new Error(`Task ${taskId} failed`), { code }));
  }, [canRetry, taskId, code]);
  const hasOther = canRetry || batchId !== null || refusal?.kind === 'offer';
  const another =
    mediaType === 'video' ? t('video.other') : t(state.kind === 'invalid' ? 'invalid.other' : 'common:startOver');
  return (
    <MessagePage
      icon={mediaType === 'video' ? <VideoOff aria-hidden /> : <ImageOff aria-hidden />}
      title={title}
      actions={
        <>
          {canRetry && (
            <SubmitForm method="post" action={RETRY_ADDRESS[mediaType](taskId)}>
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
          {refusal?.kind === 'offer' && (
            <AppLink to={offerAddress(refusal)} className={buttonClass('primary')}>
              {t('invalid.plans')}
            </AppLink>
          )}
          <AppLink to="/" reloadDocument className={buttonClass(hasOther ? 'quiet' : 'primary')}>
            {hasNotArrived ? t('common:tryAgain') : another}
          </AppLink>
        </>
      }
    >
      {fileName && (
        <p className="text-base font-medium wrap-break-word text-ink">
          <bdi>{fileName}</bdi>
        </p>
      )}
      {problem && <Notice>{t(`common:errors.${problem}`)}</Notice>}
      {limit?.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {!limit && 'code' in state && <p>{t(fileErrorKey(state.code, mediaType === 'video'))}</p>}
      <p>
        {t('common:originalSafe')} {state.kind !== 'failed' && t('common:nothingCharged')}
      </p>
    </MessagePage>
  );
}
