import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { LanguageLink } from '../language/language-link';
import { AccountLink } from './account-link';
import { GetStartedLink } from './get-started-link';
import { PhotosLink } from './photos-link';

export function Header() {
  const { t } = useTranslation(['common', 'header']);
  return (
    <header className="mx-auto flex w-full max-w-7xl items-center justify-between gap-4 px-5 py-4 short:py-2 sm:px-8 sm:py-6 sideways:py-2">
      <AppLink to="/" aria-label={t('header:home')} className="-m-2 rounded-full p-2">
        <Logo name={t('common:name')} />
      </AppLink>
      <div className="flex items-center gap-3 text-sm sm:gap-5 xl:gap-7">
        <nav aria-label={t('header:navigation')} className="hidden gap-5 text-muted md:flex xl:gap-7">
          <AppLink to="/pricing" className="link-quiet">
            {t('header:plans')}
          </AppLink>
          <AppLink to="/help" className="link-quiet">
            {t('header:help')}
          </AppLink>
        </nav>
        <PhotosLink />
        <LanguageLink />
        {/* Quiet: each page has one main action of its own. */}
        <GetStartedLink className={`${buttonClass('quiet', 'small')} min-h-11 max-xl:hidden`} />
        <AccountLink />
      </div>
    </header>
  );
}

/** For pages whose bar replaces the header. It also holds the file's name and the downloads, hence the late label. */
export function StageLinks() {
  return (
    <div className="flex items-center gap-3 px-2 text-sm">
      <PhotosLink labelClass="max-2xl:sr-only" />
      <AccountLink isQuiet />
    </div>
  );
}

export function Logo({ name }: { readonly name: string }) {
  return (
    <span className="flex items-center gap-2.5">
      <svg
        viewBox="0 0 24 24"
        width={24}
        height={24}
        aria-hidden="true"
        className="size-6 fill-none stroke-current stroke-2"
      >
        <path
          d="M3 8V5a2 2 0 0 1 2-2h3M16 3h3a2 2 0 0 1 2 2v3M21 16v3a2 2 0 0 1-2 2h-3M8 21H5a2 2 0 0 1-2-2v-3"
          strokeLinecap="round"
        />
        <circle cx="12" cy="12" r="4" className="fill-accent stroke-none" />
      </svg>
      <span className="text-lg font-semibold tracking-tight max-[24rem]:sr-only">{name}</span>
    </span>
  );
}
