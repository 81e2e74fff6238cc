import { useEffect, useRef } from 'react';

/**
 * Saves a file as its page opens, once: a reload does not.
 * @param url of the file, or null for none
 */
export function useAutomaticDownload(url: string | null): void {
  const hasStarted = useRef(false);
  useEffect(() => {
    if (url === null || hasStarted.current) return;
    hasStarted.current = true;
    const address = new URL(window.location.href);
    address.searchParams.delete('download');
    window.history.replaceState(window.history.state, '', address);
    const start = () => window.location.assign(url);
    // Before that it would end the loading of the page itself.
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true });
  }, [url]);
}
