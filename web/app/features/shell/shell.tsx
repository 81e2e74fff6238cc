import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../ui/logo';
import { OfflineNotice } from './offline-notice';

/** What surrounds every page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation(['common', 'header', 'footer']);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="fixed start-4 top-3 z-20 -translate-y-20 rounded-full bg-ink px-5 py-2.5 font-medium text-ground focus:translate-y-0"
      >
        {t('common:skipToContent')}
      </a>
      <header className="mx-auto flex w-full max-w-7xl items-center justify-between gap-4 px-5 py-4 sm:px-8 sm:py-6">
        <Link to="/" aria-label={t('header:home')} className="-m-2 rounded-full p-2">
          <Logo name={t('common:name')} />
        </Link>
        <nav aria-label={t('header:navigation')} className="hidden gap-7 text-sm text-muted sm:flex">
          <Link to="/#how-it-works" className="link-quiet">
            {t('header:howItWorks')}
          </Link>
          <Link to="/#questions" className="link-quiet">
            {t('header:questions')}
          </Link>
        </nav>
      </header>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      <footer className="mx-auto flex w-full max-w-7xl flex-col gap-2 px-5 py-10 text-sm text-muted sm:flex-row sm:justify-between sm:px-8">
        <p>{t('footer:promise')}</p>
        <p>{t('footer:credit')}</p>
      </footer>
      <OfflineNotice />
    </div>
  );
}
