import { useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/**
 * Moves the focus into the new page after a navigation that removed the focused element, for keyboards and screen
 * readers.
 */
export function useFocusOnPage(): void {
  const { key } = useLocation();
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [key]);
}

/**
 * Reloads a page restored from the back/forward cache (spec 1, section 2): the session, the language or the photo may
 * have changed since.
 */
export function useReloadWhenRestored(): void {
  useEffect(() => {
    const reload = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener('pageshow', reload);
    return () => window.removeEventListener('pageshow', reload);
  }, []);
}
