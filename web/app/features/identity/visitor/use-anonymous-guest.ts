import { useEffect } from 'react';
import { useRootData } from '../../../session/root-data';

/** Set while this browser's guest is known to the provider: then nothing needs to be loaded to find out. */
const KEY = 'clearframe:anonymous-guest';

/** Lets the identity provider know guests too, where it does (spec 1, section 4), once the page has nothing else to do. */
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
      const { loadIdentityClient } = await import('../client/load-identity-client');
      await (await loadIdentityClient(identity)).signInAnonymously();
      localStorage.setItem(KEY, '1');
    };
    const whenIdle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work, 1_000));
    // The guest works without a user of the provider.
    const handle = whenIdle(() => void start().catch(() => {}));
    return () => (window.cancelIdleCallback ?? window.clearTimeout)(handle);
  }, [visitor.kind, identity]);
}
