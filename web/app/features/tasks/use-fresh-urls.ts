import { useCallback, useEffect, useRef } from 'react';

/** Signed URLs expire after some minutes; they are refreshed once they are older than this. */
const URL_MAX_AGE_MS = 60_000;

/**
 * Refreshes signed URLs when the page becomes visible again.
 * @returns whether the current ones are still valid, and a function that refreshes them
 */
export function useFreshUrls(refresh: () => Promise<object | null>) {
  const refreshedAt = useRef<number | null>(null);
  const areFresh = useCallback(() => Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS, []);
  const renew = useCallback(async (): Promise<boolean> => {
    const fresh = await refresh();
    if (fresh) refreshedAt.current = Date.now();
    return fresh !== null;
  }, [refresh]);
  useEffect(() => {
    refreshedAt.current ??= Date.now();
    const onReturn = () => {
      if (!document.hidden && !areFresh()) void renew();
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [areFresh, renew]);
  return { areFresh, renew };
}
