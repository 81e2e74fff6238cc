import { useEffect } from 'react';

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
