import { useNavigation, useRevalidator } from '@remix-run/react';
import { startTransition, useEffect, useState } from 'react';

const CHANNEL = 'clearframe:visitor';

/** Notifies all tabs, including this one, of a login or logout. */
export function broadcastVisitorChange(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Reloads the page's data after a login or logout. Waits for a running load: aborting one logs an error. */
export function useVisitorUpdates(): void {
  const { revalidate, state } = useRevalidator();
  const { state: navigating } = useNavigation();
  const [isStale, setStale] = useState(false);
  const isIdle = state === 'idle' && navigating === 'idle';
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // A transition, because an urgent update would still see the router idle.
    channel.onmessage = () => startTransition(() => setStale(true));
    return () => channel.close();
  }, []);
  useEffect(() => {
    if (!isStale || !isIdle) return;
    setStale(false);
    revalidate();
    // Loaded then only: the landing page has no library for data.
    void import('../../http/use-data').then(({ forgetData }) => forgetData());
  }, [isStale, isIdle, revalidate]);
}
