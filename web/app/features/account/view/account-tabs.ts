/** In the order of the list. */
export const ACCOUNT_TABS = ['general', 'subscription', 'limits', 'pluginKey'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** What the account can be opened on: a tab, or the privacy settings, which are inside the general one. */
export type AccountPlace = AccountTab | 'privacy';

const ADDRESSES: Readonly<Record<AccountPlace, string>> = {
  general: '/account/general',
  privacy: '/account/general/privacy',
  subscription: '/account/subscription',
  limits: '/account/limits',
  pluginKey: '/account/plugin-key',
};

/** Path of the page that shows a place. */
export const accountAddress = (place: AccountPlace): string => ADDRESSES[place];

/** The place that a path below `/account` names, or null. */
export function accountPlaceAt(path: string): AccountPlace | null {
  const address = `/account/${path.replace(/\/+$/, '')}`;
  const places = Object.keys(ADDRESSES) as AccountPlace[];
  return places.find((place) => ADDRESSES[place] === address) ?? null;
}

/** The tab that a place is in. */
export const tabOf = (place: AccountPlace): AccountTab => (place === 'privacy' ? 'general' : place);

/** What the available tabs depend on. */
export interface TabFacts {
  /** Set by staff: there is nothing to subscribe to. */
  readonly isFree: boolean;
  /** Subscribed, a gift code is active, or free. */
  readonly isPremium: boolean;
  readonly isBusiness: boolean;
  readonly availableCredits: number;
  /** A first payment is still open. */
  readonly hasIncompleteSubscription: boolean;
  /** There are plug-in keys to be had. */
  readonly hasPluginKeys: boolean;
}

/** The available tabs (spec 1, section 2), in order. */
export function visibleTabs(facts: TabFacts): AccountTab[] {
  const isSettled = !facts.hasIncompleteSubscription;
  const isVisible: Readonly<Record<AccountTab, boolean>> = {
    general: true,
    subscription: !facts.isFree,
    limits: (facts.isPremium || facts.availableCredits > 0) && isSettled,
    pluginKey: facts.hasPluginKeys && facts.isBusiness && isSettled,
  };
  return ACCOUNT_TABS.filter((tab) => isVisible[tab]);
}
