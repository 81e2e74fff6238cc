import type { LoginProvider, Period, Plan, ToolName } from '@clearframe/contract';
import type { FormattedDate } from '../../../i18n/formatted-date';
import type { AccountTab } from './account-tabs';

export interface MemberView {
  /** Null where the provider told none. */
  readonly email: string | null;
  readonly provider: LoginProvider | null;
  readonly since: FormattedDate;
}

export interface PreferencesView {
  /** Null where there is nothing to be reminded of: a guest, or reminders are off altogether. */
  readonly wantsEmailReminder: boolean | null;
  /** The tools of the saved default; null while the product decides, undefined where defaults can't be saved. */
  readonly defaultTools: readonly ToolName[] | null | undefined;
}

export interface PrivacyView {
  readonly marketingConsent: boolean;
  /** Null where it is not asked for. */
  readonly imageTrainingConsent: boolean | null;
}

export type PlanName = 'free' | 'personal' | 'business';

/** A price written already, and how often it is paid. */
export interface PriceView {
  readonly text: string;
  readonly period: Period;
}

/** A subscription there once was. */
export interface PastView {
  readonly subscriptionId: string;
  readonly plan: Plan | null;
  readonly price: PriceView | null;
  readonly from: FormattedDate;
  /** Null for one that has not ended. */
  readonly to: FormattedDate | null;
}

export interface SubscriptionView {
  readonly plan: PlanName;
  /** What the plan comes from. */
  readonly source: 'none' | 'stripe' | 'paypal' | 'mobile' | 'gift';
  readonly isTrial: boolean;
  /** The first payment has failed. */
  readonly isIncomplete: boolean;
  /** A later payment has failed, and is tried again. */
  readonly isPastDue: boolean;
  /** Another card can pay what is open. */
  readonly canPayAgain: boolean;
  readonly price: PriceView | null;
  /** Null for what does not go on. */
  readonly nextChargeAt: FormattedDate | null;
  /** Of a gift, and of what has been cancelled. */
  readonly endsAt: FormattedDate | null;
  /** Until when gift codes give business beside a subscription; null without any. */
  readonly giftEndsAt: FormattedDate | null;
  readonly canCancel: boolean;
  readonly canRestart: boolean;
  /** The provider's own page for cards and receipts. */
  readonly portalUrl: string | null;
  /** Newest first. */
  readonly past: readonly PastView[];
}

/** Of the running week. */
export interface VideoUseView {
  readonly usedMegabytes: number;
  readonly megabytes: number;
  readonly usedSeconds: number;
  readonly seconds: number;
  readonly resetsAt: FormattedDate;
}

export interface LimitsView {
  /** Downloads of the period; null is unlimited. */
  readonly exports: number | null;
  readonly exportsUsed: number;
  readonly resetsAt: FormattedDate | null;
  /** Downloads that were bought one by one. */
  readonly credits: number;
  /** Null where videos are not part of the plan. */
  readonly video: VideoUseView | null;
}

/** A subscription that erasing the account ends at once. */
export interface EndingSubscription {
  readonly plan: Plan;
  /** `unpaid`: its last or first payment has failed. */
  readonly kind: 'paid' | 'trial' | 'unpaid';
  /** Until when it was paid for or free; null where that is not known, or nothing was paid. */
  readonly until: FormattedDate | null;
}

/** What is lost by erasing the account. */
export interface ErasureView {
  /** To be written out as confirmation; null for a guest, and where the provider told none. */
  readonly email: string | null;
  readonly subscription: EndingSubscription | null;
  /** One that the mobile shops go on charging for. */
  readonly hasMobileSubscription: boolean;
  readonly giftUntil: FormattedDate | null;
  /** Downloads that were bought one by one. */
  readonly credits: number;
}

/** The account as its dialog and its page show it. */
export interface AccountView {
  /** Null for a guest. */
  readonly member: MemberView | null;
  readonly tabs: readonly AccountTab[];
  readonly preferences: PreferencesView;
  /** Null where there is no privacy section. */
  readonly privacy: PrivacyView | null;
  readonly subscription: SubscriptionView;
  readonly limits: LimitsView;
  readonly erasure: ErasureView;
}
