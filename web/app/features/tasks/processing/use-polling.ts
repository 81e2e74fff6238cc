import { useEffect } from 'react';

/** How often a task is asked for (spec 2, section 9). */
const INTERVAL_MS = 2_000;

/** Polls while the page is visible, and immediately when it becomes visible again. */
export function usePolling(ask: () => Promise<unknown>): void {
  useEffect(() => {
    let timer: number | undefined;
    let isOver = false;
    const next = () => {
      window.clearTimeout(timer);
      if (!isOver && !document.hidden) timer = window.setTimeout(round, INTERVAL_MS);
    };
    const round = () => void ask().finally(next);
    const resume = () => {
      if (document.hidden) window.clearTimeout(timer);
      else round();
    };
    document.addEventListener('visibilitychange', resume);
    window.addEventListener('online', resume);
    window.addEventListener('pageshow', resume);
    next();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', resume);
      window.removeEventListener('online', resume);
      window.removeEventListener('pageshow', resume);
    };
  }, [ask]);
}
