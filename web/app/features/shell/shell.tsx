import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ToastRegion } from '../../ui/toast/toast-region';
import { CookieBanner } from '../cookies/cookie-banner';
import { useIsModalOpen } from '../modals/modals';
import { Footer } from './footer';
import { Header } from './header';
import { OfflineNotice } from './offline-notice';

interface ShellProps {
  /** False for pages with a bar of their own: the footer then has the language switch. */
  readonly hasHeader: boolean;
  readonly children: ReactNode;
}

/** Header, footer and notifications around every page. */
export function Shell({ hasHeader, children }: ShellProps) {
  const { t } = useTranslation();
  const isModalOpen = useIsModalOpen();
  return (
    <>
      <div className="flex min-h-dvh flex-col" {...(isModalOpen ? { inert: '' } : {})}>
        <a
          href="#content"
          className="fixed start-4 top-3 z-20 -translate-y-20 rounded-full bg-ink px-5 py-2.5 font-medium text-ground focus:translate-y-0"
        >
          {t('skipToContent')}
        </a>
        {hasHeader && <CookieBanner />}
        {hasHeader && <Header />}
        <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          {children}
        </main>
        <Footer hasLanguage={!hasHeader} />
      </div>
      <OfflineNotice isOnStage={!hasHeader} />
      <ToastRegion labels={{ one: t('notification'), region: t('notifications') }} />
    </>
  );
}
