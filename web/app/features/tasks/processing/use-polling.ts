import { useEffect } from 'react';

/** Spec 2, section 9. */
const INTERVAL_MS = 2_000;
/** First pauses for work that usually takes a second. */
const SHORT_INTERVAL_MS = 400;
const SHORT_POLLS = 5;

/**
 * Polls while the page is visible, and immediately when it becomes visible again.
 * @param isShort the work usually takes a second
 */
export function usePolling(poll: () => Promise<unknown>, isEnabled = true, isShort = false): void {
  useEffect(() => {
    if (!isEnabled) return;
    let timer: number | undefined;
    let isStopped = false;
    let polls = 0;
    const schedule = () => {
      window.clearTimeout(timer);
      if (!isStopped && !document.hidden) timer = window.setTimeout(run, intervalMs());
    };
    const intervalMs = () => (isShort && polls < SHORT_POLLS ? SHORT_INTERVAL_MS : INTERVAL_MS);
    const run = () => {
      polls += 1;
      void poll().finally(schedule);
    };
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
  }, [poll, isEnabled, isShort]);
}
