import {
  DEFAULT_PREFERENCES,
  formatPrice,
  type OpenSubscriptions,
  type PastSubscriptions,
  type Plan,
  type PlanPrice,
  type Settings,
  type SubscriptionInfo,
  TOOL_ORDER,
  type User,
  type VideoAllowance,
} from '@clearframe/contract';
import { dateFormatterFor, type FormatDate } from '../../i18n/formatted-date';
import { type AccountTab, visibleTabs } from '../../session/account-tabs';
import type { PluginKeysView } from '../plugin-keys/plugin-keys';
import { erasureOf } from './erasure-view.server';

interface Priced<Subscription> {
  readonly subscription: Subscription;
  readonly price: PlanPrice | null;
}

type PastSubscription = Priced<PastSubscriptions['subscriptions'][number]>;
type OpenSubscription = Priced<OpenSubscriptions['data'][number]>;

export interface AccountData {
  /** Null until the API has created the guest. */
  readonly user: User | null;
  readonly settings: Pick<
    Settings,
    | 'psPlugin'
    | 'shouldShowPrivacySection'
    | 'imageTrainingConsentEnabled'
    | 'disableEmailReminder'
    | 'shouldEnableSavingAiModelDefault'
  >;
  readonly price: PlanPrice | null;
  readonly subscription: SubscriptionInfo | null;
  /** All that run or may be charged, the best one first. */
  readonly open: readonly OpenSubscription[];
  readonly past: readonly PastSubscription[];
  readonly video: VideoAllowance | null;
  readonly pluginKeys: PluginKeysView | null;
}

export function tabsOf(user: User | null, { psPlugin }: Pick<Settings, 'psPlugin'>): AccountTab[] {
  const role = user?.role ?? 'guest';
  return visibleTabs({
    isFree: user?.isFree ?? false,
    isPremium: role === 'personal' || role === 'business',
    hasPluginKeys: psPlugin && user !== null && !user.isGuest,
    availableCredits: user?.availableCredits ?? 0,
    hasIncompleteSubscription: user?.monetization.hasIncompleteSubscription ?? false,
  });
}

export type AccountView = ReturnType<typeof accountViewOf>;

/**
 * @param language BCP 47
 * @param browserUrl converts a URL of the API to one for the browser
 */
export function accountViewOf(account: AccountData, language: string, browserUrl: (address: string) => string) {
  const { user, settings } = account;
  const role = user?.role ?? 'guest';
  const isPremium = role === 'personal' || role === 'business';
  const formatDate = dateFormatterFor(language);
  return {
    /** Null for a guest. */
    member:
      user && !user.isGuest ? { email: user.email, provider: user.source, since: formatDate(user.createdAt) } : null,
    tabs: tabsOf(user, settings),
    preferences: preferencesOf(user, settings),
    /** Null: no privacy section. */
    privacy: settings.shouldShowPrivacySection
      ? {
          marketingConsent: user?.marketingConsent ?? false,
          /** Null when not asked for. */
          imageTrainingConsent: settings.imageTrainingConsentEnabled ? (user?.imageTrainingConsent ?? false) : null,
        }
      : null,
    subscription: subscriptionOf(account, isPremium ? role : 'free', formatDate, browserUrl),
    limits: limitsOf(account, formatDate),
    /** Null without the tab. */
    pluginKeys: account.pluginKeys,
    erasure: erasureOf(account, formatDate),
  };
}

function preferencesOf(user: User | null, settings: AccountData['settings']) {
  const chosen = user?.preferences.defaultAiPipeline ?? null;
  const hasReminders = user !== null && !user.isGuest && !settings.disableEmailReminder;
  return {
    /** Null for guests, or when reminders are disabled. */
    wantsEmailReminder: hasReminders ? user.preferences.wantsEmailReminder : null,
    keepLocation: user?.preferences.keepLocation ?? DEFAULT_PREFERENCES.keepLocation,
    /** Null: the product's choice; undefined: defaults can't be saved. */
    defaultTools: settings.shouldEnableSavingAiModelDefault
      ? chosen && TOOL_ORDER.filter((tool) => chosen[tool])
      : undefined,
  };
}

function subscriptionOf(
  { user, price, subscription, open, past }: AccountData,
  plan: Plan | 'free',
  formatDate: FormatDate,
  browserUrl: (address: string) => string,
) {
  const gift = user?.giftCode?.isActive ? user.giftCode : null;
  const monetization = user?.monetization;
  const provider = monetization?.isSubscribed ? monetization.subscriptionProvider : null;
  const isPaid = subscription?.status === 'active' || subscription?.status === 'trialing';
  const isIncomplete = monetization?.hasIncompleteSubscription ?? false;
  const isPastDue = subscription?.status === 'past_due' || subscription?.status === 'unpaid';
  const endsAt = subscription?.hasBeenCanceled ? subscription.cancellationDate : gift && !provider && gift.expiryAt;
  const openIds = new Set([subscription, ...open.map((one) => one.subscription)].map((one) => one?.subscriptionId));
  return {
    /** The plan that paying a past-due subscription restores. */
    plan: isPastDue && plan === 'free' && price ? price.plan : plan,
    source: provider ?? (gift ? ('gift' as const) : ('none' as const)),
    isTrial: subscription ? subscription.status === 'trialing' : false,
    /** The first payment has failed. */
    isIncomplete,
    /** A renewal has failed and is retried. */
    isPastDue,
    // By another card. A wallet retries on its own.
    canPayAgain: (isIncomplete || isPastDue) && monetization?.subscriptionProvider === 'stripe',
    price: (isPastDue || (provider && provider !== 'mobile')) && price ? priceViewOf(price) : null,
    nextChargeAt: subscription && nextChargeTextOf(subscription, formatDate),
    /** For gifts and cancelled subscriptions. */
    endsAt: endsAt ? formatDate(endsAt) : null,
    /** End of business access by gift codes beside a subscription. */
    giftEndsAt: gift && provider ? formatDate(gift.expiryAt) : null,
    canCancel: subscription !== null && !subscription.hasBeenCanceled && subscription.status !== 'canceled',
    // A wallet's cancellation is final.
    canRestart: isPaid && subscription.hasBeenCanceled && monetization?.subscriptionProvider === 'stripe',
    /** The provider's page for payment methods. */
    portalUrl: subscription?.portalSessionUrl ? browserUrl(subscription.portalSessionUrl) : null,
    /** Running beside this one, for instance by another provider, and charged, too. */
    others: open
      .filter((one) => one.subscription.subscriptionId !== (subscription ?? open[0]?.subscription)?.subscriptionId)
      .map((one) => otherViewOf(one, formatDate)),
    /** Newest first. */
    past: past
      .filter(({ subscription: { subscriptionId } }) => !openIds.has(subscriptionId))
      .map((one) => pastViewOf(one, formatDate)),
  };
}

const UNPAID: readonly SubscriptionInfo['status'][] = ['incomplete', 'past_due', 'unpaid'];

/** End of the paid or free period, in ISO 8601. Null when it doesn't renew; an overdue charge is retried before. */
export function nextChargeOf({ status, hasBeenCanceled, currentPeriodEnd }: SubscriptionInfo): string | null {
  const renews = (status === 'active' || status === 'trialing') && !hasBeenCanceled;
  return renews ? currentPeriodEnd : null;
}

function nextChargeTextOf(subscription: SubscriptionInfo, formatDate: FormatDate) {
  const at = nextChargeOf(subscription);
  return at ? formatDate(at) : null;
}

const priceViewOf = ({ amountCents, currency, period }: PlanPrice) => ({
  text: formatPrice(amountCents, currency),
  period,
});

function otherViewOf({ subscription, price }: OpenSubscription, formatDate: FormatDate) {
  const { subscriptionId, provider, hasBeenCanceled, cancellationDate } = subscription;
  return {
    subscriptionId,
    provider,
    plan: price?.plan ?? null,
    price: price && priceViewOf(price),
    /** Its last or first charge has failed. */
    isUnpaid: !hasBeenCanceled && UNPAID.includes(subscription.status),
    nextChargeAt: nextChargeTextOf(subscription, formatDate),
    endsAt: hasBeenCanceled && cancellationDate ? formatDate(cancellationDate) : null,
    canCancel: !hasBeenCanceled,
  };
}

const pastViewOf = (
  { subscription: { subscriptionId, createdAt, endedAt }, price }: PastSubscription,
  formatDate: FormatDate,
) => ({
  subscriptionId,
  plan: price?.plan ?? null,
  price: price && priceViewOf(price),
  from: formatDate(createdAt),
  /** Null while it runs. */
  to: endedAt === null ? null : formatDate(endedAt),
});

function limitsOf(account: AccountData, formatDate: FormatDate) {
  const { user, video } = account;
  const resetsAt = user?.nextRenewImageDownloadLimitsDatetime;
  return {
    /** Downloads per period; null: unlimited. */
    exports: user ? user.limits.exports : 0,
    exportsUsed: user?.limits.exportsUsed ?? 0,
    resetsAt: resetsAt ? formatDate(resetsAt) : null,
    trial: trialLimitsOf(account, formatDate),
    /** Downloads that were bought one by one. */
    credits: user?.availableCredits ?? 0,
    /** In the running week; null when the plan has no videos. */
    video: video ? videoUseOf(video, formatDate) : null,
  };
}

/** What follows a free trial with limited downloads; null outside one. */
function trialLimitsOf({ subscription, price }: AccountData, formatDate: FormatDate) {
  if (subscription?.status !== 'trialing' || !price || price.exports === null) return null;
  return { paidFrom: nextChargeTextOf(subscription, formatDate), exports: price.exports, period: price.period };
}

const videoUseOf = (video: VideoAllowance, formatDate: FormatDate) => ({
  usedMegabytes: video.usedSizeMb,
  megabytes: video.maxPeriodSizeMb,
  usedSeconds: video.usedLength,
  seconds: video.maxPeriodLength,
  resetsAt: formatDate(video.resetsAt),
});
