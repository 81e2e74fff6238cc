import {
  allowedExportsOf,
  type Buyer,
  type OpenSubscription,
  type OpenSubscriptionState,
  type Plan,
  type PlanPrice,
  priceOf,
  type RoleEntitlements,
} from '@clearframe/contract';
import { type BillingAccount, balanceOf, type GiftRedemption, type Subscription } from './billing-account.js';

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

export interface BillingState<Row extends SubscriptionState> {
  readonly subscriptions: readonly Row[];
  readonly gifts: readonly GiftState[];
  readonly credits: number;
  readonly hadTrial: boolean;
  usedOf(subscriptionId: string, periodStart: Date): number;
}

export interface AccountEntitlements<Row extends SubscriptionState>
  extends Omit<RoleEntitlements, 'isGuest' | 'isFree'> {
  readonly running: Row | null;
  /** The running one, or one that waits for a payment. */
  readonly managed: Row | null;
  readonly isIncomplete: boolean;
  readonly hadTrial: boolean;
  /** Exports of the current period; null is unlimited. */
  readonly exports: number | null;
  readonly exportsUsed: number;
  readonly renewsAt: Date | null;
  readonly gift: GiftState | null;
}

/** Includes former prices; null for prices other than a plan's. */
export function planPriceOfSubscription({ priceId }: Pick<Subscription, 'priceId'>): PlanPrice | null {
  const price = priceOf(priceId);
  return price?.kind === 'plan' ? price : null;
}

const planOf = (subscription: SubscriptionState): Plan | null => planPriceOfSubscription(subscription)?.plan ?? null;

/** A cancelled subscription grants its plan until the end (exclusive) of the paid period, a disputed one never. */
export function grantsPlan(subscription: SubscriptionState, now: Date): boolean {
  const { status, currentPeriodEnd, isDisputed, supersededAt, paidCents, trialEnd } = subscription;
  if (isDisputed || supersededAt) return false;
  if (subscription.provider === 'mobile') return status === 'active' && (!currentPeriodEnd || now < currentPeriodEnd);
  if (!currentPeriodEnd || now >= currentPeriodEnd) return false;
  if (status === 'trialing' || status === 'active') return true;
  return status === 'canceled' && (paidCents > 0 || (trialEnd !== null && now < trialEnd));
}

const NOT_STARTED = ['pending', 'abandoned', 'incomplete', 'incomplete_expired'];

export const hasStarted = ({ status }: Pick<Subscription, 'status'>): boolean => !NOT_STARTED.includes(status);

const OPEN = ['pending', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'unpaid'];

export const isOpen = ({ status, supersededAt }: SubscriptionState): boolean => OPEN.includes(status) && !supersededAt;

/** Will not renew. */
export const isEnding = (subscription: SubscriptionState & Pick<Subscription, 'cancelAtPeriodEnd'>): boolean =>
  subscription.cancelAtPeriodEnd || !isOpen(subscription);

const OWING = ['incomplete', 'past_due', 'unpaid'];

export const hasOpenInvoice = (subscription: SubscriptionState): boolean =>
  OWING.includes(subscription.status) && isOpen(subscription) && subscription.providerId !== null;

/** Business before personal; the mobile app's is business. */
function rank(subscription: SubscriptionState): number {
  return subscription.provider === 'mobile' || planOf(subscription) === 'business' ? 1 : 0;
}
const endOf = ({ currentPeriodEnd }: SubscriptionState): number =>
  currentPeriodEnd?.getTime() ?? Number.MAX_SAFE_INTEGER;
export const byBestPlan = (a: SubscriptionState, b: SubscriptionState): number =>
  rank(b) - rank(a) || endOf(b) - endOf(a);
export const newestFirst = (a: SubscriptionState, b: SubscriptionState): number =>
  b.createdAt.getTime() - a.createdAt.getTime();

/**
 * Latest end of running business subscriptions; null without one. Ignores the mobile app's without a known end: nothing
 * could be scheduled after it.
 */
export function businessEndOf(subscriptions: readonly SubscriptionState[], now: Date): Date | null {
  const ends = subscriptions
    .filter((subscription) => rank(subscription) > 0 && grantsPlan(subscription, now))
    .flatMap(({ currentPeriodEnd }) => (currentPeriodEnd ? [currentPeriodEnd.getTime()] : []));
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Subscriptions that a card or wallet provider may still charge, newest first. */
export const chargeableOf = <Row extends SubscriptionState>(subscriptions: readonly Row[]): Row[] =>
  subscriptions
    .filter((subscription) => isOpen(subscription) && subscription.provider !== 'mobile' && subscription.providerId)
    .sort(newestFirst);

/** Pure; the only code that decides on entitlements. */
export function entitlementsOf<Row extends SubscriptionState>(
  state: BillingState<Row>,
  now: Date,
): AccountEntitlements<Row> {
  const running =
    state.subscriptions.filter((subscription) => grantsPlan(subscription, now)).sort(byBestPlan)[0] ?? null;
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

/** When rights may end by themselves; null for never. */
export function nextEndOf({ subscriptions, gifts }: BillingState<SubscriptionState>, now: Date): Date | null {
  const ends = subscriptions.flatMap(({ currentPeriodEnd, trialEnd }) => [currentPeriodEnd, trialEnd]);
  const coming = [...ends, ...gifts.map(({ expiresAt }) => expiresAt)].flatMap((end) =>
    end && end > now ? [end] : [],
  );
  return coming.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

const isInTrial = ({ status, trialEnd }: SubscriptionState, now: Date): boolean =>
  status !== 'active' && trialEnd !== null && now < trialEnd;

function exportsOf(
  running: SubscriptionState | null,
  price: PlanPrice | null,
  { isGiftActive, now }: { readonly isGiftActive: boolean; readonly now: Date },
): number | null {
  if (isGiftActive || running?.provider === 'mobile') return null;
  return running && price ? allowedExportsOf(price, isInTrial(running, now)) : 0;
}

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

function stateOf(subscription: SubscriptionState, now: Date): OpenSubscriptionState {
  const { status, isDisputed } = subscription;
  if (isDisputed) return 'blocked';
  if (grantsPlan(subscription, now)) return 'running';
  if (status === 'pending' || status === 'incomplete') return status;
  return status === 'past_due' || status === 'unpaid' ? 'past_due' : 'blocked';
}

/** The one that grants the plan, else the newest. */
export function openSubscriptionOf<Row extends SubscriptionState>(
  subscriptions: readonly Row[],
  now: Date,
): Row | null {
  const open = subscriptions.filter((one) => isOpen(one) && one.provider !== 'mobile');
  const [running] = open.filter((one) => grantsPlan(one, now)).sort(byBestPlan);
  return running ?? open.sort(newestFirst)[0] ?? null;
}

export function openStateOf(subscriptions: readonly SubscriptionState[], now: Date): OpenSubscription | null {
  const open = openSubscriptionOf(subscriptions, now);
  if (!open || open.provider === 'mobile') return null;
  return {
    provider: open.provider,
    price: planPriceOfSubscription(open),
    state: stateOf(open, now),
    hasIntro: open.hasIntro,
  };
}

export const isIntroAvailable = (subscriptions: readonly SubscriptionState[]): boolean =>
  !subscriptions.some(hasStarted);

const hasMobilePlan = ({ running }: Pick<AccountEntitlements<SubscriptionState>, 'running'>): boolean =>
  running?.provider === 'mobile';

export const buyerOf = (account: BillingAccount, isGuest: boolean, now: Date): Buyer => ({
  isGuest,
  hasMobileSubscription: hasMobilePlan(entitlementsOf(billingStateOf(account), now)),
  openSubscription: openStateOf(account.subscriptions, now),
  isTrialAvailable: account.trials.length === 0,
  isIntroAvailable: isIntroAvailable(account.subscriptions),
  availableCredits: balanceOf(account, null),
});
