import type { ComponentType } from 'react';
import type { AccountTab } from '../view/account-tabs';
import { GeneralPanel } from './general-panel';
import { LimitsPanel } from './limits-panel';
import type { PanelProps } from './panel';
import { SubscriptionPanel } from './subscription-panel';

/** Tabs without a panel are unavailable (see `account-view.server.ts`). */
export const PANELS: Readonly<Partial<Record<AccountTab, ComponentType<PanelProps>>>> = {
  general: GeneralPanel,
  subscription: SubscriptionPanel,
  limits: LimitsPanel,
};
