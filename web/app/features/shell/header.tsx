import Globe from 'lucide-react/icons/globe';
import { useTranslation } from 'react-i18next';
import { LANGUAGE_NAMES } from '../../i18n/language-names';
import { Logo } from '../../ui/content/logo';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { ModalLink } from '../modals/modal-link';
import { ThemeSwitch } from '../settings/theme-switch';
import { AccountLink } from './account-link';

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
        <LanguageLink />
        <ThemeSwitch className="hidden lg:block" />
        <AccountLink />
      </div>
    </header>
  );
}

function LanguageLink() {
  const { t } = useTranslation(['common', 'header']);
  const { language } = useDocument();
  const name = LANGUAGE_NAMES[language] ?? language;
  // 'Español (Latinoamérica)' is wider than a phone's header has room for.
  const [own, region] = name.split(/ (?=\()/);
  return (
    <ModalLink
      modal="language"
      with={{}}
      label={t('header:language', { language: name })}
      className="link-quiet flex min-h-11 min-w-6 items-center justify-center gap-2 text-muted"
    >
      <Globe aria-hidden className="size-4 shrink-0" />
      <span className="max-[24rem]:hidden">
        {own}
        {region && <span className="max-sm:hidden"> {region}</span>}
      </span>
    </ModalLink>
  );
}
