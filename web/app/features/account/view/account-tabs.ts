/** In display order. */
export const ACCOUNT_TABS = ['general', 'subscription', 'limits', 'pluginKey'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** A tab, or the privacy settings inside the general tab. */
export type AccountPlace = AccountTab | 'privacy';

const ADDRESSES: Readonly<Record<AccountPlace, string>> = {
  general: '/account/general',
  privacy: '/account/general/privacy',
  subscription: '/account/subscription',
  limits: '/account/limits',
  pluginKey: '/account/plugin-key',
};

/** Path of a place's page. */
export const accountAddress = (place: AccountPlace): string => ADDRESSES[place];

export function accountPlaceAt(path: string): AccountPlace | null {
  const address = `/account/${path.replace(/\/+$/, '')}`;
  const places = Object.keys(ADDRESSES) as AccountPlace[];
  return places.find((place) => ADDRESSES[place] === address) ?? null;
}

export const tabOf = (place: AccountPlace): AccountTab => (place === 'privacy' ? 'general' : place);

export interface TabConditions {
  /** Set by staff; nothing to subscribe to. */
  readonly isFree: boolean;
  /** Subscribed, free or with an active gift code. */
  readonly isPremium: boolean;
  readonly isBusiness: boolean;
  readonly availableCredits: number;
  readonly hasIncompleteSubscription: boolean;
  readonly hasPluginKeys: boolean;
}

/** The available tabs (spec 1, section 2), in order. */
export function visibleTabs(conditions: TabConditions): AccountTab[] {
  const isSettled = !conditions.hasIncompleteSubscription;
  const isVisible: Readonly<Record<AccountTab, boolean>> = {
    general: true,
    subscription: !conditions.isFree,
    limits: (conditions.isPremium || conditions.availableCredits > 0) && isSettled,
    pluginKey: conditions.hasPluginKeys && conditions.isBusiness && isSettled,
  };
  return ACCOUNT_TABS.filter((tab) => isVisible[tab]);
}
