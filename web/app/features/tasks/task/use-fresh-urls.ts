import { useEffect, useRef } from 'react';

/** Signed URLs expire after some minutes; they are refreshed once they are older than this. */
const URL_MAX_AGE_MS = 60_000;

/**
 * Refreshes signed URLs when the page becomes visible again.
 * @returns whether the current ones are still valid
 */
export function useFreshUrls(refresh: () => Promise<object | null>): () => boolean {
  const refreshedAt = useRef<number | null>(null);
  useEffect(() => {
    refreshedAt.current ??= Date.now();
    const onReturn = () => {
      if (document.hidden || Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS) return;
      void refresh().then((fresh) => {
        if (fresh) refreshedAt.current = Date.now();
      });
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [refresh]);
  return () => Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS;
}
