import { allowedExportsOf, type Plan, type PlanPrice, priceOf, type RoleEntitlements } from '@clearframe/contract';
import type { BillingAccount, GiftRedemption, Subscription } from './billing-account.js';

/** The columns of a subscription that entitlements depend on. */
export type SubscriptionState = Pick<
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
type GiftState = Pick<GiftRedemption, 'expiresAt'>;

/** What entitlements follow from. Gathered from an account, or by one query. */
export interface BillingState<Known extends SubscriptionState> {
  readonly subscriptions: readonly Known[];
  readonly gifts: readonly GiftState[];
  readonly credits: number;
  readonly hadTrial: boolean;
  /** Downloads taken from the period of a subscription that begins at a time. */
  usedOf(subscriptionId: string, periodStart: Date): number;
}

/** What a user has paid for, at one moment. */
export interface AccountEntitlements<Known extends SubscriptionState>
  extends Omit<RoleEntitlements, 'isGuest' | 'isFree'> {
  /** The subscription that grants the plan. */
  readonly running: Known | null;
  /** The subscription that can be managed: the running one, or one that waits for a payment. */
  readonly managed: Known | null;
  readonly isIncomplete: boolean;
  readonly hadTrial: boolean;
  /** Exports of the current period; null is unlimited. */
  readonly exports: number | null;
  readonly exportsUsed: number;
  readonly renewsAt: Date | null;
  readonly gift: GiftState | null;
}

/** The price of a subscription, also a former one; null for other prices. */
export function planPriceOfSubscription({ priceId }: Pick<Subscription, 'priceId'>): PlanPrice | null {
  const price = priceOf(priceId);
  return price?.kind === 'plan' ? price : null;
}

const planOf = (subscription: SubscriptionState): Plan | null => planPriceOfSubscription(subscription)?.plan ?? null;

/**
 * Whether a subscription grants its plan at a moment. The end of its period is exclusive. A cancelled one grants it until
 * the end of the paid period; a disputed one doesn't.
 */
export function grantsPlan(subscription: SubscriptionState, now: Date): boolean {
  const { status, currentPeriodEnd, isDisputed, supersededAt, paidCents, trialEnd } = subscription;
  if (isDisputed || supersededAt) return false;
  if (subscription.provider === 'mobile') return status === 'active' && (!currentPeriodEnd || now < currentPeriodEnd);
  if (!currentPeriodEnd || now >= currentPeriodEnd) return false;
  if (status === 'trialing' || status === 'active') return true;
  return status === 'canceled' && (paidCents > 0 || (trialEnd !== null && now < trialEnd));
}

const NOT_BEGUN = ['pending', 'abandoned', 'incomplete', 'incomplete_expired'];

/** Whether its first charge succeeded or its trial started. */
export const hasStarted = ({ status }: Pick<Subscription, 'status'>): boolean => !NOT_BEGUN.includes(status);

const OPEN = ['pending', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'unpaid'];

/** Whether its provider may still charge for it. */
export const isOpen = ({ status, supersededAt }: SubscriptionState): boolean => OPEN.includes(status) && !supersededAt;

const OWING = ['incomplete', 'past_due', 'unpaid'];

/** Whether it has an open invoice that another card can pay. */
export const hasOpenInvoice = (subscription: SubscriptionState): boolean =>
  OWING.includes(subscription.status) && isOpen(subscription) && subscription.providerId !== null;

/** Business before personal; the mobile app's is business. */
function rank(subscription: SubscriptionState): number {
  return subscription.provider === 'mobile' || planOf(subscription) === 'business' ? 1 : 0;
}
const endOf = ({ currentPeriodEnd }: SubscriptionState): number =>
  currentPeriodEnd?.getTime() ?? Number.MAX_SAFE_INTEGER;
/** Sorts the better plan, then the later end, first. */
export const betterFirst = (a: SubscriptionState, b: SubscriptionState): number =>
  rank(b) - rank(a) || endOf(b) - endOf(a);
export const newestFirst = (a: SubscriptionState, b: SubscriptionState): number =>
  b.createdAt.getTime() - a.createdAt.getTime();

/**
 * The latest end of the running business subscriptions; null without one. One of the mobile app without a known end
 * doesn't count: nothing could be scheduled after it.
 */
export function businessEndOf(subscriptions: readonly SubscriptionState[], now: Date): Date | null {
  const ends = subscriptions
    .filter((subscription) => rank(subscription) > 0 && grantsPlan(subscription, now))
    .flatMap(({ currentPeriodEnd }) => (currentPeriodEnd ? [currentPeriodEnd.getTime()] : []));
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Subscriptions that a card or wallet provider may still charge, newest first. */
export const chargeableOf = <Known extends SubscriptionState>(subscriptions: readonly Known[]): Known[] =>
  subscriptions
    .filter((subscription) => isOpen(subscription) && subscription.provider !== 'mobile' && subscription.providerId)
    .sort(newestFirst);

/** The entitlements at one moment. Pure; the only place that decides on them. */
export function entitlementsOf<Known extends SubscriptionState>(
  state: BillingState<Known>,
  now: Date,
): AccountEntitlements<Known> {
  const running =
    state.subscriptions.filter((subscription) => grantsPlan(subscription, now)).sort(betterFirst)[0] ?? null;
  const open = state.subscriptions.filter(isOpen).sort(newestFirst);
  const waiting = open.find(({ providerId }) => providerId !== null) ?? null;
  const [gift = null] = [...state.gifts].sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime());
  const isGiftActive = gift !== null && now < gift.expiresAt;
  const price = running && planPriceOfSubscription(running);
  const period = running?.provider === 'mobile' ? null : running?.currentPeriodStart;
  return {
    subscribedPlan: running ? (running.provider === 'mobile' ? 'business' : planOf(running)) : null,
    subscriptionProvider: running?.provider ?? null,
    isGiftCodeActive: isGiftActive,
    availableCredits: state.credits,
    running,
    managed: running ?? waiting,
    isIncomplete: open.some(({ status }) => status === 'incomplete'),
    hadTrial: state.hadTrial,
    exports: exportsOf(running, price, { isGiftActive, now }),
    exportsUsed: running && period ? state.usedOf(running.id, period) : 0,
    renewsAt: running?.currentPeriodEnd ?? null,
    gift,
  };
}

/** Also a cancelled trial, until its end. */
const isInTrial = ({ status, trialEnd }: SubscriptionState, now: Date): boolean =>
  status !== 'active' && trialEnd !== null && now < trialEnd;

/** Exports of the current period; null is unlimited. */
function exportsOf(
  running: SubscriptionState | null,
  price: PlanPrice | null,
  { isGiftActive, now }: { readonly isGiftActive: boolean; readonly now: Date },
): number | null {
  if (isGiftActive || running?.provider === 'mobile') return null;
  return running && price ? allowedExportsOf(price, isInTrial(running, now)) : 0;
}

/** The facts of a whole account. */
export function billingStateOf(account: BillingAccount): BillingState<Subscription> {
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
