import { isRouteErrorResponse, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { loginAddress, preserveVersionParam, SUPPORT_ADDRESS } from '../../http/landing';
import type { ProblemView } from '../../http/problem';
import { MessagePage } from '../../ui/content/message-page';
import { ButtonLink } from '../../ui/controls/button';
import { useDocument } from '../../ui/page/document-data';
import { ResetButton } from '../identity/visitor/reset-button';

/** Whatever went wrong, in plain words, with the id under which we find it in our logs. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  const { requestId } = useDocument();
  const { pathname, search } = useLocation();
  const answer = isRouteErrorResponse(error) ? error : null;
  const problem = answer ? problemIn(answer.data) : null;

  const isUnknown = answer?.status === 404;
  const hasEnded = problem?.code === 'users.not_authorized';
  const texts = isUnknown
    ? { title: t('notFound.title'), body: t('notFound.body') }
    : hasEnded
      ? { title: t('sessionEnded.title'), body: t('sessionEnded.body') }
      : { title: t('failure.title'), body: problem ? t(`errors.${problem.code}`) : t('failure.body') };
  const event = t('eventId', { id: problem?.requestId || requestId });
  const subject = `subject=${encodeURIComponent(event)}`;
  const isOurs = !answer || answer.status >= 500;

  return (
    <MessagePage
      title={texts.title}
      actions={
        <>
          {isOurs && (
            <ButtonLink kind="primary" href="">
              {t('tryAgain')}
            </ButtonLink>
          )}
          <ButtonLink kind={isOurs ? 'quiet' : 'primary'} href={preserveVersionParam('/', search)}>
            {t('startOver')}
          </ButtonLink>
          {hasEnded && (
            <>
              <ButtonLink kind="quiet" href={loginAddress(`${pathname}${search}`, search)}>
                {t('logIn')}
              </ButtonLink>
              <ResetButton />
            </>
          )}
          {isOurs && (
            <ButtonLink kind="quiet" href={`mailto:${SUPPORT_ADDRESS}?${subject}`}>
              {t('contactUs')}
            </ButtonLink>
          )}
        </>
      }
    >
      <p>{texts.body}</p>
      {!isUnknown && !hasEnded && <p>{t('originalSafe')}</p>}
      {isOurs && (
        <div className="space-y-1 text-sm">
          <p>{t('contact', { email: SUPPORT_ADDRESS })}</p>
          <p className="font-mono break-all">{event}</p>
        </div>
      )}
    </MessagePage>
  );
}

const problemIn = (data: unknown): ProblemView | null =>
  typeof data === 'object' && data !== null && 'code' in data && 'requestId' in data ? (data as ProblemView) : null;
