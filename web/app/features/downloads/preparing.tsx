import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../../ui/content/waiting';

/** In place of the download of a paid picture, until its file exists. */
export function Preparing({ className = '' }: { readonly className?: string }) {
  const { t } = useTranslation('result');
  return (
    <p role="status" className={`flex min-h-11 items-center gap-3 ${className}`}>
      <Spinner label={null} size={24} className="shrink-0" />
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">{t('preparing.title')}</span>
        <span className="text-caption text-pretty text-muted">{t('preparing.note')}</span>
      </span>
    </p>
  );
}

/** Downloads a file once when its page opens, not on reloads. */
export function useAutomaticDownload(url: string | null): void {
  const hasStarted = useRef(false);
  useEffect(() => {
    if (url === null || hasStarted.current) return;
    hasStarted.current = true;
    const pageUrl = new URL(window.location.href);
    pageUrl.searchParams.delete('download');
    window.history.replaceState(window.history.state, '', pageUrl);
    const start = () => window.location.assign(url);
    // Earlier, the navigation would abort the loading of the page.
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true });
  }, [url]);
}
