import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../controls/button';
import { AppLink } from '../page/app-link';

interface StageLayoutProps {
  /** Of the page; null in a dialog, which has a name. */
  readonly heading: string | null;
  /** Shown in the bar, truncated. */
  readonly fileName: string | null;
  /** Beside the file name. */
  readonly tools?: ReactNode;
  /** The main actions: at the end of the bar, or below the picture on narrow screens. */
  readonly actions?: ReactNode;
  readonly panel: ReactNode;
  /** Messages over the picture. */
  readonly notices?: ReactNode;
  /** The picture. */
  readonly children: ReactNode;
}

/** A dark editor that fills the viewport: bar, picture and panel. */
export function StageLayout({ heading, fileName, tools, actions, panel, notices, children }: StageLayoutProps) {
  const { t } = useTranslation('common');
  return (
    <section data-theme="dark" className="stage">
      {heading && <h1 className="sr-only">{heading}</h1>}
      <div className="stage-top">
        <div className="stage-bar">
          <AppLink to="/" reloadDocument className={buttonClass('ghost', 'icon')} title={t('startOver')}>
            <ArrowLeft aria-hidden className="size-5 rtl:-scale-x-100" />
            <span className="sr-only">{t('startOver')}</span>
          </AppLink>
          <p className="min-w-0 flex-1 truncate text-sm font-medium" title={fileName ?? undefined}>
            <bdi>{fileName}</bdi>
          </p>
          {tools}
        </div>
        <div className="stage-actions">{actions}</div>
      </div>
      <div className="stage-canvas">
        {children}
        {notices && <div className="stage-notices">{notices}</div>}
      </div>
      {panel}
    </section>
  );
}
