import { useMatches } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import type { DeletionTime } from '../../i18n/deletion-time';
import { useDeletionTime } from '../../i18n/use-deletion-time';
import { useRootData } from '../../session/root-data';
import { AppLink } from '../../ui/page/app-link';
import { CookieSettingsLink } from '../cookies/cookie-settings-link';
import { LanguageLink } from '../language/language-link';
import { ModalLink } from '../modals/modal-link';
import { ThemeSwitch } from '../settings/theme-switch';
import { GetStartedLink } from './get-started-link';

const LINK = 'link-quiet flex min-h-11 items-center py-1 text-balance sm:min-h-0 sm:py-0 wrap-anywhere hyphens-auto';

/** @param hasLanguage its switch, which the header has otherwise */
export function Footer({ hasLanguage }: { readonly hasLanguage: boolean }) {
  const { t } = useTranslation(['common', 'header', 'footer']);
  const { visitor } = useRootData();
  const deletion = usePictureDeletion();
  return (
    <footer className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-5 py-10 text-sm text-muted sm:px-8">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between">
        <nav
          aria-label={t('footer:navigation')}
          className="grid grid-cols-2 gap-x-6 sm:flex sm:flex-wrap sm:gap-x-7 sm:gap-y-2"
        >
          <AppLink to="/pricing" className={LINK}>
            {t('header:plans')}
          </AppLink>
          <AppLink to="/help" className={LINK}>
            {t('header:help')}
          </AppLink>
          <AppLink to="/help/contact" className={LINK}>
            {t('header:contact')}
          </AppLink>
          <AppLink to="/help#faq" className={LINK}>
            {t('header:questions')}
          </AppLink>
          <ModalLink modal="about" with={{ topic: 'photo' }} className={LINK}>
            {t('footer:whatHappens')}
          </ModalLink>
          <AppLink to="/terms" className={LINK}>
            {t('footer:terms')}
          </AppLink>
          <AppLink to="/privacy-and-cookie-policy" className={LINK}>
            {t('footer:privacy')}
          </AppLink>
          <CookieSettingsLink className={LINK} />
          <AppLink to="/subscription/cancel" className={LINK}>
            {t('footer:cancel')}
          </AppLink>
          <AppLink to="/developers" className={LINK}>
            {t('footer:developers')}
          </AppLink>
          <AppLink to="/status" className={LINK}>
            {t('footer:status')}
          </AppLink>
          <GetStartedLink className={`${LINK} xl:hidden`} />
          {/* Members have their photos in its place. */}
          {visitor.kind === 'guest' && (
            <AppLink to="/#how-it-works" className={LINK}>
              {t('header:howItWorks')}
            </AppLink>
          )}
        </nav>
        <div className="flex items-center gap-5">
          {hasLanguage && <LanguageLink />}
          <ThemeSwitch />
        </div>
      </div>
      <div className="flex flex-col gap-2 sm:flex-row sm:justify-between">
        <p>
          {deletion ? (
            <time dateTime={deletion.iso}>
              {deletion.isRelative
                ? t('footer:deletedIn', { when: deletion.text })
                : withOnePeriod(t('footer:deletedOn', { date: deletion.text }))}
            </time>
          ) : (
            t(visitor.kind === 'guest' ? 'footer:promise' : 'footer:promiseMember')
          )}
        </p>
        <p>{t('footer:credit')}</p>
      </div>
    </footer>
  );
}

/** Abbreviated months end with a period in some languages: 'am 22. Dez.'. */
const withOnePeriod = (sentence: string): string => sentence.replace(/\.\.$/, '.');

/** Routes with `showsDeletionDate` in their handle have `deletion` in their loader data. */
interface PictureHandle {
  readonly showsDeletionDate: true;
}

function usePictureDeletion(): DeletionTime | undefined {
  const page = useMatches().find(({ handle }) => (handle as PictureHandle | undefined)?.showsDeletionDate);
  return useDeletionTime((page?.data as { deletion?: DeletionTime } | undefined)?.deletion);
}
