import type { OffersView } from './offers.server';

export type PaywallQuery = Readonly<
  Partial<Record<'taskId' | 'previousAction' | 'version' | 'view' | 'period', string>>
>;

export interface PaywallData {
  readonly offers: OffersView;
  readonly isGuest: boolean;
}

export interface PaywallProps {
  readonly query: PaywallQuery;
  readonly loaded: PaywallData | null;
}

export const paywallAddress = ({ query }: Pick<PaywallProps, 'query'>): string =>
  `/upgrade?${new URLSearchParams(query)}`;
