import { useTranslation } from 'react-i18next';
import { Logo } from '../../ui/content/logo';
import { AppLink } from '../../ui/page/app-link';
import { ThemeSwitch } from '../settings/theme-switch';
import { AccountLink } from './account-link';
import { LanguageLink } from './language/language-link';
import { PhotosLink } from './photos-link';

export function Header() {
  const { t } = useTranslation(['common', 'header']);
  return (
    <header className="mx-auto flex w-full max-w-7xl items-center justify-between gap-4 px-5 py-4 sm:px-8 sm:py-6">
      <AppLink to="/" aria-label={t('header:home')} className="-m-2 rounded-full p-2">
        <Logo name={t('common:name')} />
      </AppLink>
      <div className="flex items-center gap-3 text-sm sm:gap-5 lg:gap-7">
        <nav aria-label={t('header:navigation')} className="hidden gap-7 text-muted md:flex">
          <AppLink to="/#how-it-works" className="link-quiet">
            {t('header:howItWorks')}
          </AppLink>
          <AppLink to="/upgrade" className="link-quiet">
            {t('header:plans')}
          </AppLink>
          <AppLink to="/#questions" className="link-quiet">
            {t('header:questions')}
          </AppLink>
        </nav>
        <PhotosLink />
        <LanguageLink />
        <ThemeSwitch className="hidden lg:block" />
        <AccountLink />
      </div>
    </header>
  );
}

/** For pages whose bar replaces the header. */
export function StageLinks() {
  return (
    <div className="flex items-center gap-3 px-2 text-sm">
      <PhotosLink />
      <AccountLink />
    </div>
  );
}
