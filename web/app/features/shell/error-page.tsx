import { isRouteErrorResponse, useLocation } from '@remix-run/react';
import SearchX from 'lucide-react/icons/search-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { loginAddress, preserveVersionParam, SUPPORT_ADDRESS } from '../../http/internal-address';
import { rememberError, reportError } from '../../telemetry/watch-errors';
import { MessagePage } from '../../ui/content/message-page';
import { ButtonLink } from '../../ui/controls/button';
import { useDocument } from '../../ui/page/document-data';
import { ResetButton } from '../login/reset-button';

/** Shows the request id of server errors, for support. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const { t } = useTranslation(['common', 'header']);
  const { requestId } = useDocument();
  const { pathname, search } = useLocation();
  const response = isRouteErrorResponse(error) ? error : null;
  const problem = response ? problemIn(response.data) : null;
  const eventId = problem?.requestId || requestId;
  const isServerError = !response || response.status >= 500;
  const isOffline = isConnectionError(error);
  useEffect(() => {
    if (isOffline) return;
    if (!isRouteErrorResponse(error)) reportError('boundary', error);
    else if (isServerError) rememberError(eventId);
  }, [error, isOffline, isServerError, eventId]);
  useReloadWhenReachable(isOffline);

  const isReceiptLink = problem?.code === 'picture_links.not_found';
  const isDeadLink = isReceiptLink || problem?.code === 'sharings.not_found' || problem?.code === 'sharings.expired';
  const isNotFound = response?.status === 404 && !isDeadLink;
  const hasSessionEnded = problem?.code === 'users.not_authorized';
  const texts = isDeadLink
    ? { title: t('deadLink.title'), body: t(isReceiptLink ? 'deadLink.receipt' : 'deadLink.body') }
    : isNotFound
      ? { title: t('notFound.title'), body: t('notFound.body') }
      : hasSessionEnded
        ? { title: t('sessionEnded.title'), body: t('sessionEnded.body') }
        : isOffline
          ? { title: t('offlineTitle'), body: t('offline') }
          : { title: t('failure.title'), body: problem ? t(`errors.${problem.code}`) : t('failure.body') };
  const Icon = isNotFound || isDeadLink ? SearchX : isOffline ? WifiOff : TriangleAlert;
  const event = t('eventId', { id: eventId });
  const contact = `/help/contact?${new URLSearchParams({ source: 'error', event: eventId })}`;

  return (
    <MessagePage
      icon={<Icon aria-hidden />}
      title={texts.title}
      actions={
        <>
          {isServerError && (
            <ButtonLink kind="primary" href="">
              {t('tryAgain')}
            </ButtonLink>
          )}
          <ButtonLink kind={isServerError ? 'quiet' : 'primary'} href={preserveVersionParam('/', search)}>
            {t('startOver')}
          </ButtonLink>
          {isNotFound && (
            <ButtonLink kind="quiet" href={preserveVersionParam('/history', search)}>
              {t('header:photos')}
            </ButtonLink>
          )}
          {hasSessionEnded && (
            <>
              <ButtonLink kind="quiet" href={loginAddress(`${pathname}${search}`, search)}>
                {t('logIn')}
              </ButtonLink>
              <ResetButton />
            </>
          )}
          {isServerError && (
            <ButtonLink kind="quiet" href={preserveVersionParam(contact, search)}>
              {t('contactUs')}
            </ButtonLink>
          )}
        </>
      }
    >
      <p>{texts.body}</p>
      {!isNotFound && !isDeadLink && !hasSessionEnded && <p>{t('originalSafe')}</p>}
      {isServerError && (
        <div className="space-y-1 text-sm">
          <p>{t('contact', { email: SUPPORT_ADDRESS })}</p>
          <p className="font-mono break-all">{event}</p>
        </div>
      )}
    </MessagePage>
  );
}

/** Browsers have their own messages: of a fetch, or of a module of the page. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed|module/i.test(error.message);

const PAUSE_MS = 5_000;

/** Asks, since a server that restarts sends no event. */
function useReloadWhenReachable(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return;
    const reload = () =>
      fetch('/healthz').then(
        ({ ok }) => ok && location.reload(),
        () => {},
      );
    const timer = setInterval(reload, PAUSE_MS);
    return () => clearInterval(timer);
  }, [isEnabled]);
}

const problemIn = (data: unknown): ProblemView | null =>
  typeof data === 'object' && data !== null && 'code' in data && 'requestId' in data ? (data as ProblemView) : null;
