import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';

const CHANNEL = 'clearframe:visitor';

/** Tells every tab, this one too, that somebody else is looking now. */
export function announceVisitor(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Asks the server for the page's data again when somebody has signed in or out. What the page is doing goes on. */
export function useVisitorNews(): void {
  const { revalidate } = useRevalidator();
  const latest = useRef(revalidate);
  latest.current = revalidate;
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => latest.current();
    return () => channel.close();
  }, []);
}
