import { useEffect } from 'react';

/** Spec 2, section 9. */
const INTERVAL_MS = 2_000;

/** Polls while the page is visible, and immediately when it becomes visible again. */
export function usePolling(poll: () => Promise<unknown>, isEnabled = true): void {
  useEffect(() => {
    if (!isEnabled) return;
    let timer: number | undefined;
    let isStopped = false;
    const schedule = () => {
      window.clearTimeout(timer);
      if (!isStopped && !document.hidden) timer = window.setTimeout(run, INTERVAL_MS);
    };
    const run = () => void poll().finally(schedule);
    const resume = () => {
      if (document.hidden) window.clearTimeout(timer);
      else run();
    };
    document.addEventListener('visibilitychange', resume);
    window.addEventListener('online', resume);
    window.addEventListener('pageshow', resume);
    schedule();
    return () => {
      isStopped = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', resume);
      window.removeEventListener('online', resume);
      window.removeEventListener('pageshow', resume);
    };
  }, [poll, isEnabled]);
}
