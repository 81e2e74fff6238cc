import { useEffect, useRef } from 'react';

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
