import type { LoginProvider, Period, Plan, ToolName } from '@clearframe/contract';
import type { FormattedDate } from '../../i18n/formatted-date';
import type { AccountTab } from '../../session/account-tabs';
import type { PluginKeysView } from '../plugin-keys/plugin-keys';

export interface MemberView {
  /** Null when the provider gave none. */
  readonly email: string | null;
  readonly provider: LoginProvider | null;
  readonly since: FormattedDate;
}

export interface PreferencesView {
  /** Null for guests, or when reminders are disabled. */
  readonly wantsEmailReminder: boolean | null;
  /** Results of new photos keep the location. */
  readonly keepLocation: boolean;
  /** Null: the product's choice; undefined: defaults can't be saved. */
  readonly defaultTools: readonly ToolName[] | null | undefined;
}

export interface PrivacyView {
  readonly marketingConsent: boolean;
  /** Null when not asked for. */
  readonly imageTrainingConsent: boolean | null;
}

export type PlanName = 'free' | 'personal' | 'business';

export interface PriceView {
  readonly text: string;
  readonly period: Period;
}

export interface PastView {
  readonly subscriptionId: string;
  readonly plan: Plan | null;
  readonly price: PriceView | null;
  readonly from: FormattedDate;
  /** Null while it runs. */
  readonly to: FormattedDate | null;
}

/** A subscription beside the one that grants the plan: it is charged, too. */
export interface OtherSubscription {
  readonly subscriptionId: string;
  readonly provider: 'stripe' | 'paypal';
  readonly plan: Plan | null;
  readonly price: PriceView | null;
  /** Its last or first charge has failed. */
  readonly isUnpaid: boolean;
  /** Null when it doesn't renew or is unpaid. */
  readonly nextChargeAt: FormattedDate | null;
  /** When cancelled. */
  readonly endsAt: FormattedDate | null;
  readonly canCancel: boolean;
}

export interface SubscriptionView {
  /** The plan that paying a past-due subscription restores. */
  readonly plan: PlanName;
  readonly source: 'none' | 'stripe' | 'paypal' | 'mobile' | 'gift';
  readonly isTrial: boolean;
  /** The first payment has failed. */
  readonly isIncomplete: boolean;
  /** A renewal has failed and is retried. */
  readonly isPastDue: boolean;
  /** The open invoice can be paid by another card. */
  readonly canPayAgain: boolean;
  readonly price: PriceView | null;
  /** Null when it doesn't renew. */
  readonly nextChargeAt: FormattedDate | null;
  /** For gifts and cancelled subscriptions. */
  readonly endsAt: FormattedDate | null;
  /** End of business access by gift codes beside a subscription; null without. */
  readonly giftEndsAt: FormattedDate | null;
  readonly canCancel: boolean;
  readonly canRestart: boolean;
  /** The provider's page for payment methods. */
  readonly portalUrl: string | null;
  /** Running beside this one, for instance by another provider. */
  readonly others: readonly OtherSubscription[];
  /** Newest first. */
  readonly past: readonly PastView[];
}

/** In the running week. */
export interface VideoUseView {
  readonly usedMegabytes: number;
  readonly megabytes: number;
  readonly usedSeconds: number;
  readonly seconds: number;
  readonly resetsAt: FormattedDate;
}

/** What follows a free trial. */
export interface TrialLimitsView {
  /** Null when the trial was cancelled. */
  readonly paidFrom: FormattedDate | null;
  /** Downloads per paid period. */
  readonly exports: number;
  readonly period: Period;
}

export interface LimitsView {
  /** Downloads per period; null: unlimited. */
  readonly exports: number | null;
  readonly exportsUsed: number;
  readonly resetsAt: FormattedDate | null;
  /** Null outside a free trial with limited downloads. */
  readonly trial: TrialLimitsView | null;
  /** Downloads that were bought one by one. */
  readonly credits: number;
  /** Null when the plan has no videos. */
  readonly video: VideoUseView | null;
}

/** A subscription that ends with the account. */
export interface EndingSubscription {
  readonly plan: Plan;
  /** `unpaid`: its last or first payment has failed. */
  readonly kind: 'paid' | 'trial' | 'unpaid';
  /** End of the paid or free period; null when unknown or unpaid. */
  readonly until: FormattedDate | null;
}

export interface ErasureView {
  /** Typed as confirmation; null for guests and accounts without an address. */
  readonly email: string | null;
  readonly subscription: EndingSubscription | null;
  /** Billed by an app store, which continues. */
  readonly hasMobileSubscription: boolean;
  readonly giftUntil: FormattedDate | null;
  readonly credits: number;
}

export interface AccountView {
  /** Null for a guest. */
  readonly member: MemberView | null;
  readonly tabs: readonly AccountTab[];
  readonly preferences: PreferencesView;
  /** Null: no privacy section. */
  readonly privacy: PrivacyView | null;
  readonly subscription: SubscriptionView;
  readonly limits: LimitsView;
  /** Null without the tab. */
  readonly pluginKeys: PluginKeysView | null;
  readonly erasure: ErasureView;
}
