export const ACCOUNT_TABS = ['general', 'subscription', 'limits', 'pluginKey'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** A tab, or the privacy settings inside the general tab. */
export type AccountSection = AccountTab | 'privacy';

const ADDRESSES: Readonly<Record<AccountSection, string>> = {
  general: '/account/general',
  privacy: '/account/general/privacy',
  subscription: '/account/subscription',
  limits: '/account/limits',
  pluginKey: '/account/plugin-key',
};

/** The list of receipts. */
export const PURCHASES_ADDRESS = '/account/purchases';

export const WEBHOOKS_ADDRESS = '/account/webhooks';

export const USAGE_ADDRESS = '/account/usage';

export const accountAddress = (section: AccountSection): string => ADDRESSES[section];

export function accountSectionAt(path: string): AccountSection | null {
  const address = `/account/${path.replace(/\/+$/, '')}`;
  const sections = Object.keys(ADDRESSES) as AccountSection[];
  return sections.find((section) => ADDRESSES[section] === address) ?? null;
}

export const tabOf = (section: AccountSection): AccountTab => (section === 'privacy' ? 'general' : section);

export interface TabConditions {
  readonly isFree: boolean;
  readonly isPremium: boolean;
  readonly availableCredits: number;
  readonly hasIncompleteSubscription: boolean;
  readonly hasPluginKeys: boolean;
}

export function visibleTabs(conditions: TabConditions): AccountTab[] {
  const isSettled = !conditions.hasIncompleteSubscription;
  const isVisible: Readonly<Record<AccountTab, boolean>> = {
    general: true,
    subscription: !conditions.isFree,
    limits: (conditions.isPremium || conditions.availableCredits > 0) && isSettled,
    pluginKey: conditions.hasPluginKeys,
  };
  return ACCOUNT_TABS.filter((tab) => isVisible[tab]);
}
