import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../content/waiting';
import { buttonClass } from '../controls/button';
import { AppLink } from '../page/app-link';

interface StageLayoutProps {
  /** Heading of the page; null in a dialog, which has a name. */
  readonly heading: string | null;
  /** Where the arrow in the bar leads; absent: to another photo. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly fileName: string | null;
  readonly tools?: ReactNode;
  /** The main actions: at the end of the bar, or below the picture on narrow screens. */
  readonly actions?: ReactNode;
  readonly panel: ReactNode;
  readonly filmstrip?: ReactNode;
  readonly notices?: ReactNode;
  readonly children: ReactNode;
}

export function StageLayout(props: StageLayoutProps) {
  const { heading, back, fileName, tools, actions, panel, filmstrip, notices, children } = props;
  const { t } = useTranslation('common');
  const backLabel = back?.label ?? t('startOver');
  return (
    <section data-theme="dark" className="stage">
      {heading && <h1 className="sr-only">{heading}</h1>}
      <div className="stage-top">
        <div className="stage-bar">
          <AppLink
            to={back?.to ?? '/'}
            reloadDocument={!back}
            className={buttonClass('ghost', 'icon')}
            title={backLabel}
          >
            <ArrowLeft aria-hidden className="size-5 rtl:-scale-x-100" />
            <span className="sr-only">{backLabel}</span>
          </AppLink>
          <p className="min-w-0 flex-1 text-sm font-medium" title={fileName ?? undefined}>
            <bdi className="block w-fit max-w-full truncate">{fileName}</bdi>
          </p>
          {tools}
        </div>
        <div className="stage-actions">{actions}</div>
      </div>
      <div className="stage-canvas">
        {children}
        {notices && <div className="stage-notices">{notices}</div>}
      </div>
      {filmstrip}
      {panel}
    </section>
  );
}

interface StageStatusProps {
  readonly text: string;
  readonly label: string;
  readonly progress: number | null;
  readonly children?: ReactNode;
}

export function StageStatus({ text, label, progress, children }: StageStatusProps) {
  return (
    <div className="stage-panel stage-status">
      <p aria-live="polite" className="font-semibold tracking-tight text-balance lg:text-2xl">
        {text}
      </p>
      <ProgressBar label={label} value={progress} />
      {children && <div className="flex flex-col gap-2 text-sm text-pretty text-muted">{children}</div>}
    </div>
  );
}
