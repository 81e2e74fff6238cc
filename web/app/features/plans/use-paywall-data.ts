import type { Currency } from '@clearframe/contract';
import { send } from '../../http/browser-client';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { useData } from '../../http/use-data';
import type { PaywallData, PaywallProps, PaywallQuery } from './paywall-address';

const offersAddress = (query: PaywallQuery): string => `/upgrade/offers?${new URLSearchParams(query)}`;

/** @returns null when the request fails */
export const fetchOffersIn = async (currency: Currency, query: PaywallQuery): Promise<PaywallData | null> =>
  (await send<PaywallData>('/currency', { currency, [RETURN_PARAMETER]: offersAddress(query) })).body;

export function usePaywallData({ query, loaded }: PaywallProps) {
  const { data, error } = useData<PaywallData>(loaded ? null : offersAddress(query));
  return { loaded: loaded ?? data ?? null, hasFailed: error !== undefined };
}
