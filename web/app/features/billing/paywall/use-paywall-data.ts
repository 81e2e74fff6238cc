import { useEffect, useState } from 'react';
import type { PaywallData, PaywallProps } from './paywall-address';

/** The page's offers, or fetched ones. */
export function usePaywallData({ query, loaded }: PaywallProps) {
  const [fetched, setFetched] = useState<PaywallData | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const parameters = `${new URLSearchParams(query)}`;
  const isLoaded = (loaded ?? fetched) !== null;
  useEffect(() => {
    if (isLoaded) return;
    const controller = new AbortController();
    fetch(`/upgrade/offers?${parameters}`, { signal: controller.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${response.status}`))))
      .then(
        (data: PaywallData) => setFetched(data),
        () => !controller.signal.aborted && setFailed(true),
      );
    return () => controller.abort();
  }, [isLoaded, parameters]);
  return { loaded: loaded ?? fetched, hasFailed };
}
