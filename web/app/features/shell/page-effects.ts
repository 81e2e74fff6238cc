import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { differOnlyInVersion, landingAddress } from '../../http/internal-address';

/** Focuses the content after a navigation that removed the focused element, for keyboards and screen readers. */
export function useFocusOnPage(): void {
  const { key, pathname, search } = useLocation();
  const before = useRef({ key, address: `${pathname}${search}` });
  useEffect(() => {
    const { current } = before;
    if (current.key === key) return;
    before.current = { key, address: `${pathname}${search}` };
    if (differOnlyInVersion(current.address, before.current.address)) return;
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [key, pathname, search]);
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

/** Adds the landing page's version to the home page's address. Links and forms keep it from there on. */
export function useLandingVersion(version: string | null): void {
  const location = useLocation();
  const navigate = useNavigate();
  const address = landingAddress(location, version);
  const { state } = location;
  useEffect(() => {
    if (address !== null) navigate(address, { replace: true, preventScrollReset: true, state });
  }, [address, state, navigate]);
}
