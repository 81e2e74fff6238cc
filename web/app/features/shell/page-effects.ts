import { useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/**
 * Puts the focus into a page that took the place of another together with what had it: else the keyboard, and whoever
 * has the page read out, would be nowhere.
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
 * Loads a page anew that the browser brings back as it was (spec 1, section 2): who has signed out, switched the
 * language or lost the picture in between must not see the page of before.
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
