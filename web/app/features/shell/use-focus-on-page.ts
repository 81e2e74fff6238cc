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
