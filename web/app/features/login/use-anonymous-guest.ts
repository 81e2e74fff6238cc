import { useEffect } from 'react';
import { useRootData } from '../../session/root-data';

/** Set once the provider knows this guest, to skip loading its client. */
const KEY = 'clearframe:anonymous-guest';

/** Creates an anonymous user at providers that have them (spec 1, section 4), when the page is idle. */
export function useAnonymousGuest(): void {
  const { visitor, identity } = useRootData();
  useEffect(() => {
    if (identity.provider !== 'firebase') return;
    try {
      if (visitor.kind === 'member') localStorage.removeItem(KEY);
      if (visitor.kind === 'member' || localStorage.getItem(KEY)) return;
    } catch {
      return;
    }
    const start = async () => {
      const { loadIdentityClient } = await import('./load-identity-client');
      await (await loadIdentityClient(identity)).signInAnonymously();
      localStorage.setItem(KEY, '1');
    };
    const whenIdle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work, 1_000));
    // Guests work without a provider's user.
    const handle = whenIdle(() => void start().catch(() => {}));
    return () => (window.cancelIdleCallback ?? window.clearTimeout)(handle);
  }, [visitor.kind, identity]);
}
