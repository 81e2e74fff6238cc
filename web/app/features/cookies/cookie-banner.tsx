import { useLocation } from '@remix-run/react';
import { type FormEvent, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';
import { useRootData } from '../../session/root-data';
import { COOKIES_ADDRESS, hasAnswered, onAnswer } from '../../telemetry/answer-state';
import { Button } from '../../ui/controls/button';
import { CookieSettingsLink } from './cookie-settings-link';

/** Asks for consent, above the page instead of over it. Accepting and refusing are equally easy. */
export function CookieBanner() {
  const { t } = useTranslation('footer');
  const { asksForCookies } = useRootData();
  const { pathname, search } = useLocation();
  const isOpen = useSyncExternalStore(
    onAnswer,
    () => asksForCookies && !hasAnswered(),
    () => asksForCookies,
  );
  if (!isOpen || pathname === COOKIES_ADDRESS) return null;

  function answer(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    import('./answer-banner').then(
      ({ answerBanner }) => answerBanner(submitter.value === 'accept'),
      // The page works without that code.
      () => window.location.assign(preserveVersionParam(COOKIES_ADDRESS, search)),
    );
  }

  return (
    <section aria-label={t('cookies.label')} className="bg-well text-sm">
      <div className="mx-auto flex w-full max-w-7xl items-center gap-x-4 px-5 py-1.5 sm:gap-x-6 sm:py-2.5 sm:px-8">
        <p className="min-w-0 flex-1 text-pretty wrap-anywhere max-sm:text-[0.8125rem]">
          {t('cookies.ask')}{' '}
          <CookieSettingsLink className="whitespace-nowrap text-muted underline underline-offset-4 max-sm:hidden" />
        </p>
        <form
          method="post"
          action={preserveVersionParam(COOKIES_ADDRESS, search)}
          onSubmit={answer}
          className="flex gap-2 sm:gap-3"
        >
          <input type="hidden" name={RETURN_PARAMETER} value={`${pathname}${search}`} />
          {(['refuse', 'accept'] as const).map((choice) => (
            <Button key={choice} type="submit" name="choice" value={choice} kind="quiet" size="small">
              {t(`cookies.${choice}`)}
            </Button>
          ))}
        </form>
      </div>
    </section>
  );
}
