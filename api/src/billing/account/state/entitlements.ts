import { allowedExportsOf, type Plan, type PlanPrice, priceOf, type Standing } from '@clearframe/contract';
import type { BillingAccount, GiftRedemption, Subscription } from './billing-account.js';

/** What has to be known of a subscription. */
export type SubscriptionFacts = Pick<
  Subscription,
  | 'id'
  | 'provider'
  | 'providerId'
  | 'priceId'
  | 'status'
  | 'createdAt'
  | 'currentPeriodStart'
  | 'currentPeriodEnd'
  | 'trialEnd'
  | 'hasIntro'
  | 'paidCents'
  | 'isDisputed'
  | 'supersededAt'
>;
type GiftFacts = Pick<GiftRedemption, 'expiresAt'>;

/** What entitlements follow from. Gathered from an account, or by one query. */
export interface BillingFacts<Known extends SubscriptionFacts> {
  readonly subscriptions: readonly Known[];
  readonly gifts: readonly GiftFacts[];
  readonly credits: number;
  readonly hadTrial: boolean;
  /** Downloads taken from the period of a subscription that begins at a time. */
  usedOf(subscriptionId: string, periodStart: Date): number;
}

/** What somebody may have of what they pay for, at one moment. */
export interface Entitlements<Known extends SubscriptionFacts> extends Omit<Standing, 'isGuest' | 'isFree'> {
  /** The subscription that gives the plan. */
  readonly running: Known | null;
  /** The one that can be looked at and changed: the running one, or one that waits for money. */
  readonly managed: Known | null;
  readonly isIncomplete: boolean;
  readonly hadTrial: boolean;
  /** Downloads of the running period; null is unlimited. */
  readonly exports: number | null;
  readonly exportsUsed: number;
  readonly renewsAt: Date | null;
  readonly gift: GiftFacts | null;
}

/** The plan's price that a subscription is for, former ones too. */
export function planPriceOfSubscription({ priceId }: Pick<Subscription, 'priceId'>): PlanPrice | null {
  const price = priceOf(priceId);
  return price?.kind === 'plan' ? price : null;
}

const planOf = (subscription: SubscriptionFacts): Plan | null => planPriceOfSubscription(subscription)?.plan ?? null;

/**
 * Whether a subscription gives its plan at a moment. At the very instant of its end it is over. One that has been
 * cancelled counts until the end of what was paid for it; a dispute ends everything at once.
 */
export function counts(subscription: SubscriptionFacts, now: Date): boolean {
  const { status, currentPeriodEnd, isDisputed, supersededAt, paidCents, trialEnd } = subscription;
  if (isDisputed || supersededAt) return false;
  if (subscription.provider === 'mobile') return status === 'active' && (!currentPeriodEnd || now < currentPeriodEnd);
  if (!currentPeriodEnd || now >= currentPeriodEnd) return false;
  if (status === 'trialing' || status === 'active') return true;
  return status === 'canceled' && (paidCents > 0 || (trialEnd !== null && now < trialEnd));
}

const NOT_BEGUN = ['pending', 'abandoned', 'incomplete', 'incomplete_expired'];

/** Whether it has ever run: its first charge succeeded, or its trial began. */
export const hasBegun = ({ status }: Pick<Subscription, 'status'>): boolean => !NOT_BEGUN.includes(status);

const OPEN = ['pending', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'unpaid'];

/** Whether its provider may still charge for it. */
export const isOpen = ({ status, supersededAt }: SubscriptionFacts): boolean => OPEN.includes(status) && !supersededAt;

const OWING = ['incomplete', 'past_due', 'unpaid'];

/** Whether an invoice of it is open, which another card can pay. */
export const isOwing = (subscription: SubscriptionFacts): boolean =>
  OWING.includes(subscription.status) && isOpen(subscription) && subscription.providerId !== null;

/** Business before personal, mobile as business, then the one that lasts longer. */
function rank(subscription: SubscriptionFacts): number {
  return subscription.provider === 'mobile' || planOf(subscription) === 'business' ? 1 : 0;
}
const endOf = ({ currentPeriodEnd }: SubscriptionFacts): number =>
  currentPeriodEnd?.getTime() ?? Number.MAX_SAFE_INTEGER;
/** Sorts the subscription that gives the better plan, then the one that lasts longer, first. */
export const betterFirst = (a: SubscriptionFacts, b: SubscriptionFacts): number =>
  rank(b) - rank(a) || endOf(b) - endOf(a);
export const newestFirst = (a: SubscriptionFacts, b: SubscriptionFacts): number =>
  b.createdAt.getTime() - a.createdAt.getTime();

/**
 * Until when the business subscriptions that run give business; null without one. One of the mobile app without a known
 * end doesn't count: nothing could be scheduled behind it.
 */
export function businessEndOf(subscriptions: readonly SubscriptionFacts[], now: Date): Date | null {
  const ends = subscriptions
    .filter((subscription) => rank(subscription) > 0 && counts(subscription, now))
    .flatMap(({ currentPeriodEnd }) => (currentPeriodEnd ? [currentPeriodEnd.getTime()] : []));
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Those that a provider here may still charge for, newest first. */
export const chargedOf = <Known extends SubscriptionFacts>(subscriptions: readonly Known[]): Known[] =>
  subscriptions
    .filter((subscription) => isOpen(subscription) && subscription.provider !== 'mobile' && subscription.providerId)
    .sort(newestFirst);

/** Everything that follows from the facts at one moment. Pure; the only place that decides on rights. */
export function entitlementsOf<Known extends SubscriptionFacts>(
  facts: BillingFacts<Known>,
  now: Date,
): Entitlements<Known> {
  const running = facts.subscriptions.filter((subscription) => counts(subscription, now)).sort(betterFirst)[0] ?? null;
  const open = facts.subscriptions.filter(isOpen).sort(newestFirst);
  const waiting = open.find(({ providerId }) => providerId !== null) ?? null;
  const [gift = null] = [...facts.gifts].sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime());
  const isGiftActive = gift !== null && now < gift.expiresAt;
  const price = running && planPriceOfSubscription(running);
  const period = running?.provider === 'mobile' ? null : running?.currentPeriodStart;
  return {
    subscribedPlan: running ? (running.provider === 'mobile' ? 'business' : planOf(running)) : null,
    subscriptionProvider: running?.provider ?? null,
    isGiftCodeActive: isGiftActive,
    availableCredits: facts.credits,
    running,
    managed: running ?? waiting,
    isIncomplete: open.some(({ status }) => status === 'incomplete'),
    hadTrial: facts.hadTrial,
    exports: exportsOf(running, price, { isGiftActive, now }),
    exportsUsed: running && period ? facts.usedOf(running.id, period) : 0,
    renewsAt: running?.currentPeriodEnd ?? null,
    gift,
  };
}

/** A trial that was cancelled remains one until its end. */
const isInTrial = ({ status, trialEnd }: SubscriptionFacts, now: Date): boolean =>
  status !== 'active' && trialEnd !== null && now < trialEnd;

/** Downloads of the running period; null is unlimited. */
function exportsOf(
  running: SubscriptionFacts | null,
  price: PlanPrice | null,
  { isGiftActive, now }: { readonly isGiftActive: boolean; readonly now: Date },
): number | null {
  if (isGiftActive || running?.provider === 'mobile') return null;
  return running && price ? allowedExportsOf(price, isInTrial(running, now)) : 0;
}

/** The facts of a whole account. */
export function factsOf(account: BillingAccount): BillingFacts<Subscription> {
  return {
    subscriptions: account.subscriptions,
    gifts: account.gifts,
    credits: account.credits.reduce((sum, { amount }) => sum + amount, 0),
    hadTrial: account.trials.length > 0,
    usedOf: (subscriptionId, periodStart) =>
      account.exports.filter(
        (use) =>
          use.source === 'period' &&
          use.subscriptionId === subscriptionId &&
          use.periodStart?.getTime() === periodStart.getTime(),
      ).length,
  };
}
