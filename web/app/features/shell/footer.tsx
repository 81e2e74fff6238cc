import { useTranslation } from 'react-i18next';
import { AppLink } from '../../app-link';
import { ModalLink } from '../modals/modal-link';
import { ThemeSwitch } from './theme-switch';

const LINK = 'link-quiet flex min-h-11 items-center sm:min-h-0';

export function Footer() {
  const { t } = useTranslation(['common', 'header', 'footer']);
  return (
    <footer className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-5 py-10 text-sm text-muted sm:px-8">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between">
        <nav aria-label={t('footer:navigation')} className="flex flex-col sm:flex-row sm:gap-7">
          <ModalLink modal="about" with={{ topic: 'photo' }} className={LINK}>
            {t('footer:whatHappens')}
          </ModalLink>
          <AppLink to="/terms" className={LINK}>
            {t('footer:terms')}
          </AppLink>
          <AppLink to="/privacy-and-cookie-policy" className={LINK}>
            {t('footer:privacy')}
          </AppLink>
          <AppLink to="/subscription/cancel" className={LINK}>
            {t('footer:cancel')}
          </AppLink>
          <AppLink to="/upgrade" className={`${LINK} md:hidden`}>
            {t('header:plans')}
          </AppLink>
          <AppLink to="/#how-it-works" className={`${LINK} md:hidden`}>
            {t('header:howItWorks')}
          </AppLink>
          <AppLink to="/#questions" className={`${LINK} md:hidden`}>
            {t('header:questions')}
          </AppLink>
        </nav>
        <ThemeSwitch className="self-start lg:hidden" />
      </div>
      <div className="flex flex-col gap-2 sm:flex-row sm:justify-between">
        <p>{t('footer:promise')}</p>
        <p>{t('footer:credit')}</p>
      </div>
    </footer>
  );
}
