import { useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/** Focuses the content after a navigation that removed the focused element, for keyboards and screen readers. */
export function useFocusOnPage(): void {
  const { key } = useLocation();
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [key]);
}

/** Its session or data may be stale (spec 1, section 2). */
export function useReloadWhenRestored(): void {
  useEffect(() => {
    const reload = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener('pageshow', reload);
    return () => window.removeEventListener('pageshow', reload);
  }, []);
}
