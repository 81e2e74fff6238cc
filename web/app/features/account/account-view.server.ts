import {
  DEFAULT_PREFERENCES,
  formatPrice,
  may,
  type OpenSubscriptions,
  type PastSubscriptions,
  type PlanPrice,
  type Settings,
  type SubscriptionInfo,
  TOOL_ORDER,
  type User,
  type VideoAllowance,
} from '@clearframe/contract';
import { dateFormatterFor, type FormatDate, type FormattedDate } from '../../i18n/formatted-date';
import { type AccountTab, visibleTabs } from '../../session/account-tabs';
import type { PluginKeysView } from '../plugin-keys/plugin-keys';
import type {
  AccountView,
  LimitsView,
  OtherSubscription,
  PastView,
  PlanName,
  PreferencesView,
  SubscriptionView,
  TrialLimitsView,
  VideoUseView,
} from './account-view';
import { erasureOf } from './erasure-view.server';

export interface PastSubscription {
  readonly subscription: PastSubscriptions['subscriptions'][number];
  readonly price: PlanPrice | null;
}

/** A subscription that runs or may be charged, and its price. */
export interface OpenSubscription {
  readonly subscription: OpenSubscriptions['data'][number];
  readonly price: PlanPrice | null;
}

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
    isBusiness: role === 'business',
    hasPluginKeys: psPlugin && may({ role, isGuest: user?.isGuest ?? true }, 'plugin_key'),
    availableCredits: user?.availableCredits ?? 0,
    hasIncompleteSubscription: user?.monetization.hasIncompleteSubscription ?? false,
  });
}

/**
 * @param language BCP 47
 * @param browserUrl converts a URL of the API to one for the browser
 */
export function accountViewOf(
  account: AccountData,
  language: string,
  browserUrl: (address: string) => string,
): AccountView {
  const { user, settings } = account;
  const role = user?.role ?? 'guest';
  const isPremium = role === 'personal' || role === 'business';
  const formatDate = dateFormatterFor(language);
  return {
    member:
      user && !user.isGuest ? { email: user.email, provider: user.source, since: formatDate(user.createdAt) } : null,
    tabs: tabsOf(user, settings),
    preferences: preferencesOf(user, settings),
    privacy: settings.shouldShowPrivacySection
      ? {
          marketingConsent: user?.marketingConsent ?? false,
          imageTrainingConsent: settings.imageTrainingConsentEnabled ? (user?.imageTrainingConsent ?? false) : null,
        }
      : null,
    subscription: subscriptionOf(account, isPremium ? role : 'free', { formatDate, browserUrl }),
    limits: limitsOf(account, formatDate),
    pluginKeys: account.pluginKeys,
    erasure: erasureOf(account, formatDate),
  };
}

function preferencesOf(user: User | null, settings: AccountData['settings']): PreferencesView {
  const chosen = user?.preferences.defaultAiPipeline ?? null;
  const hasReminders = user !== null && !user.isGuest && !settings.disableEmailReminder;
  return {
    wantsEmailReminder: hasReminders ? user.preferences.wantsEmailReminder : null,
    keepLocation: user?.preferences.keepLocation ?? DEFAULT_PREFERENCES.keepLocation,
    defaultTools: settings.shouldEnableSavingAiModelDefault
      ? chosen && TOOL_ORDER.filter((tool) => chosen[tool])
      : undefined,
  };
}

interface Formatting {
  readonly formatDate: FormatDate;
  readonly browserUrl: (address: string) => string;
}

function subscriptionOf(
  { user, price, subscription, open, past }: AccountData,
  plan: PlanName,
  { formatDate, browserUrl }: Formatting,
): SubscriptionView {
  const gift = user?.giftCode?.isActive ? user.giftCode : null;
  const monetization = user?.monetization;
  const provider = monetization?.isSubscribed ? monetization.subscriptionProvider : null;
  const isPaid = subscription?.status === 'active' || subscription?.status === 'trialing';
  const isIncomplete = monetization?.hasIncompleteSubscription ?? false;
  const isPastDue = subscription?.status === 'past_due' || subscription?.status === 'unpaid';
  const endsAt = subscription?.hasBeenCanceled ? subscription.cancellationDate : gift && !provider && gift.expiryAt;
  const openIds = new Set([subscription, ...open.map((one) => one.subscription)].map((one) => one?.subscriptionId));
  return {
    plan: isPastDue && plan === 'free' && price ? price.plan : plan,
    source: provider ?? (gift ? 'gift' : 'none'),
    isTrial: subscription ? subscription.status === 'trialing' : false,
    isIncomplete,
    isPastDue,
    // A wallet retries on its own.
    canPayAgain: (isIncomplete || isPastDue) && monetization?.subscriptionProvider === 'stripe',
    price: (isPastDue || (provider && provider !== 'mobile')) && price ? priceViewOf(price) : null,
    nextChargeAt: subscription && nextChargeOf(subscription, formatDate),
    endsAt: endsAt ? formatDate(endsAt) : null,
    giftEndsAt: gift && provider ? formatDate(gift.expiryAt) : null,
    canCancel: subscription !== null && !subscription.hasBeenCanceled && subscription.status !== 'canceled',
    // A wallet's cancellation is final.
    canRestart: isPaid && subscription.hasBeenCanceled && monetization?.subscriptionProvider === 'stripe',
    portalUrl: subscription?.portalSessionUrl ? browserUrl(subscription.portalSessionUrl) : null,
    others: open
      .filter((one) => one.subscription.subscriptionId !== (subscription ?? open[0]?.subscription)?.subscriptionId)
      .map((one) => otherViewOf(one, formatDate)),
    past: past
      .filter(({ subscription: { subscriptionId } }) => !openIds.has(subscriptionId))
      .map((one) => pastViewOf(one, formatDate)),
  };
}

const UNPAID: readonly SubscriptionInfo['status'][] = ['incomplete', 'past_due', 'unpaid'];

/** End of the paid or free period. Null when it doesn't renew; an overdue charge is retried before. */
function nextChargeOf(
  { status, hasBeenCanceled, currentPeriodEnd }: SubscriptionInfo,
  formatDate: FormatDate,
): FormattedDate | null {
  const renews = (status === 'active' || status === 'trialing') && !hasBeenCanceled;
  return renews && currentPeriodEnd ? formatDate(currentPeriodEnd) : null;
}

const priceViewOf = ({ amountCents, currency, period }: PlanPrice) => ({
  text: formatPrice(amountCents, currency),
  period,
});

function otherViewOf({ subscription, price }: OpenSubscription, formatDate: FormatDate): OtherSubscription {
  const { subscriptionId, provider, hasBeenCanceled, cancellationDate } = subscription;
  return {
    subscriptionId,
    provider,
    plan: price?.plan ?? null,
    price: price && priceViewOf(price),
    isUnpaid: !hasBeenCanceled && UNPAID.includes(subscription.status),
    nextChargeAt: nextChargeOf(subscription, formatDate),
    endsAt: hasBeenCanceled && cancellationDate ? formatDate(cancellationDate) : null,
    canCancel: !hasBeenCanceled,
  };
}

const pastViewOf = (
  { subscription: { subscriptionId, createdAt, endedAt }, price }: PastSubscription,
  formatDate: FormatDate,
) =>
  ({
    subscriptionId,
    plan: price?.plan ?? null,
    price: price && priceViewOf(price),
    from: formatDate(createdAt),
    to: endedAt === null ? null : formatDate(endedAt),
  }) satisfies PastView;

function limitsOf(account: AccountData, formatDate: FormatDate): LimitsView {
  const { user, video } = account;
  const resetsAt = user?.nextRenewImageDownloadLimitsDatetime;
  return {
    exports: user ? user.limits.exports : 0,
    exportsUsed: user?.limits.exportsUsed ?? 0,
    resetsAt: resetsAt ? formatDate(resetsAt) : null,
    trial: trialLimitsOf(account, formatDate),
    credits: user?.availableCredits ?? 0,
    video: video ? videoUseOf(video, formatDate) : null,
  };
}

function trialLimitsOf({ subscription, price }: AccountData, formatDate: FormatDate): TrialLimitsView | null {
  if (subscription?.status !== 'trialing' || !price || price.exports === null) return null;
  return { paidFrom: nextChargeOf(subscription, formatDate), exports: price.exports, period: price.period };
}

const videoUseOf = (video: VideoAllowance, formatDate: FormatDate): VideoUseView => ({
  usedMegabytes: video.usedSizeMb,
  megabytes: video.maxPeriodSizeMb,
  usedSeconds: video.usedLength,
  seconds: video.maxPeriodLength,
  resetsAt: formatDate(video.resetsAt),
});
