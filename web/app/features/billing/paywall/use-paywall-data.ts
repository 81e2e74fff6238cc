import type { Currency } from '@clearframe/contract';
import { useEffect, useState } from 'react';
import { RETURN_PARAMETER } from '../../../http/internal-address';
import type { PaywallData, PaywallProps, PaywallQuery } from './paywall-address';

const offersAddress = (query: PaywallQuery): string => `/upgrade/offers?${new URLSearchParams(query)}`;

async function fetchOffers(address: string, init: RequestInit): Promise<PaywallData> {
  const response = await fetch(address, init);
  if (!response.ok) throw new Error(`loading the offers failed with status ${response.status}`);
  return response.json();
}

export const fetchOffersIn = (currency: Currency, query: PaywallQuery): Promise<PaywallData> =>
  fetchOffers('/currency', {
    method: 'POST',
    body: new URLSearchParams({ currency, [RETURN_PARAMETER]: offersAddress(query) }),
  });

export function usePaywallData({ query, loaded }: PaywallProps) {
  const [fetched, setFetched] = useState<PaywallData | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const address = offersAddress(query);
  const isLoaded = (loaded ?? fetched) !== null;
  useEffect(() => {
    if (isLoaded) return;
    const controller = new AbortController();
    fetchOffers(address, { signal: controller.signal }).then(setFetched, () => {
      if (!controller.signal.aborted) setFailed(true);
    });
    return () => controller.abort();
  }, [isLoaded, address]);
  return { loaded: loaded ?? fetched, hasFailed };
}
