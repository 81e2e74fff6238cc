import { useNavigation, useRevalidator } from '@remix-run/react';
import { startTransition, useEffect, useState } from 'react';

const CHANNEL = 'clearframe:visitor';

/** Tells every tab, this one too, that somebody else is looking now. */
export function announceVisitor(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/**
 * Asks the server for the page's data again when somebody has signed in or out. What the page is doing goes on. News
 * that comes while it asks is asked about afterwards: an answer that is given up half read is an error in the console.
 */
export function useVisitorNews(): void {
  const { revalidate, state } = useRevalidator();
  const { state: navigating } = useNavigation();
  const [hasNews, setHasNews] = useState(false);
  const isIdle = state === 'idle' && navigating === 'idle';
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // As unhurried as what the router does: hurried, it would overtake that and find it idle still.
    channel.onmessage = () => startTransition(() => setHasNews(true));
    return () => channel.close();
  }, []);
  useEffect(() => {
    if (!hasNews || !isIdle) return;
    setHasNews(false);
    revalidate();
  }, [hasNews, isIdle, revalidate]);
}
