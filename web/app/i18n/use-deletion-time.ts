import { inMilliseconds } from '@clearframe/contract/units';
import { useEffect, useState } from 'react';
import { type DeletionTime, formatDeletionTime } from './deletion-time';

const UPDATE_MS = inMilliseconds.minutes(1);

/** Keeps the remaining time true while the page is open. */
export function useDeletionTime<Time extends DeletionTime | undefined>(initial: Time): Time | DeletionTime {
  const [current, setCurrent] = useState<Time | DeletionTime>(initial);
  const [from, setFrom] = useState(initial?.iso);
  if (from !== initial?.iso) {
    setFrom(initial?.iso);
    setCurrent(initial);
  }
  useEffect(() => {
    if (!initial) return;
    const { iso, language } = initial;
    const update = () => setCurrent(formatDeletionTime(iso, new Date(), language));
    const timer = window.setInterval(update, UPDATE_MS);
    // A page restored from the back/forward cache.
    window.addEventListener('pageshow', update);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('pageshow', update);
    };
  }, [initial]);
  return current;
}
