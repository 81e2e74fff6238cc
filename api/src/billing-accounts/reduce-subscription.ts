import {
  addEntry,
  type BillingAccount,
  type BillingEvent,
  balanceOf,
  replaced,
  type Subscription,
  type TrialUse,
  UNREAD_SUBSCRIPTION,
} from './billing-account.js';
import { grantsPlan, planPriceOfSubscription } from './entitlements.js';

type SubscriptionEvent = Extract<
  BillingEvent,
  { kind: `subscription_${string}` | 'upgrade_previewed' | 'mobile_linked' }
>;
type Synced = Extract<SubscriptionEvent, { kind: 'subscription_synced' }>;

const withRow = (account: BillingAccount, old: Subscription, next: Subscription): BillingAccount => ({
  ...account,
  subscriptions: replaced(account.subscriptions, old, next),
});

function applyOrder(account: BillingAccount, subscription: Subscription, fingerprint: string | null): BillingAccount {
  if (account.subscriptions.some(({ id }) => id === subscription.id)) return account;
  const added = { ...account, subscriptions: [...account.subscriptions, subscription] };
  return subscription.asksTrial ? withTrial(added, subscription, fingerprint, subscription.createdAt) : added;
}

function withTrial(
  account: BillingAccount,
  { id }: Subscription,
  fingerprint: string | null,
  at: Date,
): BillingAccount {
  if (account.trials.length > 0) return account;
  const trial: TrialUse = { subscriptionId: id, userId: account.userId, fingerprint, createdAt: at };
  return { ...account, trials: [trial] };
}

const withoutTrial = (account: BillingAccount, { id }: Subscription): BillingAccount => ({
  ...account,
  trials: account.trials.filter(({ subscriptionId }) => subscriptionId !== id),
});

function applySync(account: BillingAccount, subscription: Subscription, event: Synced): BillingAccount {
  const { snapshot, readNo, at } = event;
  const isOther = subscription.providerId !== null && subscription.providerId !== snapshot.id;
  if (readNo <= subscription.readNo || isOther || snapshot.provider !== subscription.provider) return account;
  const { status, trialEnd } = snapshot;
  const next: Subscription = {
    ...subscription,
    providerId: snapshot.id,
    customerId: snapshot.customerId,
    priceId: event.priceId ?? subscription.priceId,
    status,
    currentPeriodStart: snapshot.currentPeriodStart,
    currentPeriodEnd: snapshot.currentPeriodEnd,
    trialEnd,
    cancelAtPeriodEnd: snapshot.cancelAtPeriodEnd,
    canceledAt: snapshot.canceledAt,
    endedAt: snapshot.endedAt,
    hasIntro: snapshot.hasIntro,
    paidCents: snapshot.paidCents,
    currency: snapshot.currency,
    isDisputed: snapshot.isDisputed,
    readNo,
  };
  const changed = withRow(account, subscription, next);
  if (status === 'incomplete') return changed;
  if (status === 'incomplete_expired') return withoutTrial(changed, next);
  const tried = trialEnd ? withTrial(changed, next, snapshot.fingerprint, at) : changed;
  const replacing = supersede(tried, next, at);
  return grantsPlan(next, at) ? forfeit(replacing, next, at) : replacing;
}

function forfeit(account: BillingAccount, subscription: Subscription, at: Date): BillingAccount {
  const { id, forfeitCredits, forfeitedAt } = subscription;
  if (forfeitCredits === 0 || forfeitedAt) return account;
  const lost = Math.min(forfeitCredits, balanceOf(account, null));
  const marked = withRow(account, subscription, { ...subscription, forfeitedAt: at });
  if (lost === 0) return marked;
  return addEntry(marked, { id: `forfeit:${id}`, amount: -lost, reason: 'forfeit', taskId: null, at });
}

/** From then on the replaced subscription grants nothing, whatever happens to the new one. */
function supersede(account: BillingAccount, next: Subscription, at: Date): BillingAccount {
  const old = account.subscriptions.find(({ id, supersededAt }) => id === next.replacesId && !supersededAt);
  return old ? withUsedExports(withRow(account, old, { ...old, supersededAt: at }), old, next) : account;
}

/**
 * A change of period keeps the used exports: the unused time is refunded, so each change would otherwise give a full
 * allowance at little cost.
 */
function withUsedExports(account: BillingAccount, old: Subscription, next: Subscription): BillingAccount {
  if (planPriceOfSubscription(old)?.plan !== planPriceOfSubscription(next)?.plan) return account;
  const exports = account.exports.map((use) =>
    use.source === 'period' &&
    use.subscriptionId === old.id &&
    use.periodStart?.getTime() === old.currentPeriodStart?.getTime()
      ? { ...use, subscriptionId: next.id, periodStart: next.currentPeriodStart }
      : use,
  );
  return { ...account, exports };
}

function applyLink(
  account: BillingAccount,
  event: Extract<SubscriptionEvent, { kind: 'mobile_linked' }>,
): BillingAccount {
  const { id, oracleBackendId, currentPeriodEnd, at } = event;
  const old = account.subscriptions.find(
    ({ provider, providerId }) => provider === 'mobile' && providerId === oracleBackendId,
  );
  if (old) return withRow(account, old, { ...old, status: 'active', currentPeriodEnd });
  const subscription: Subscription = {
    ...UNREAD_SUBSCRIPTION,
    id,
    userId: account.userId,
    provider: 'mobile',
    providerId: oracleBackendId,
    priceId: 'mobile',
    status: 'active',
    currentPeriodStart: at,
    currentPeriodEnd,
    currency: 'usd',
    createdAt: at,
  };
  return { ...account, subscriptions: [...account.subscriptions, subscription] };
}

export function reduceSubscription(account: BillingAccount, event: SubscriptionEvent): BillingAccount {
  if (event.kind === 'mobile_linked') return applyLink(account, event);
  if (event.kind === 'subscription_ordered') return applyOrder(account, event.subscription, event.fingerprint);
  const subscription = account.subscriptions.find(({ id }) => id === event.subscriptionId);
  if (!subscription) return account;
  switch (event.kind) {
    case 'subscription_synced':
      return applySync(account, subscription, event);
    case 'subscription_reordered': {
      if (subscription.status !== 'incomplete') return account;
      return withRow(account, subscription, { ...subscription, forfeitCredits: event.forfeitCredits });
    }
    case 'subscription_abandoned': {
      // If the provider has created it after all, the next reading corrects this.
      if (subscription.status !== 'pending') return account;
      return withoutTrial(withRow(account, subscription, { ...subscription, status: 'abandoned' }), subscription);
    }
    case 'upgrade_previewed':
      return withRow(account, subscription, { ...subscription, previewedAt: event.at });
  }
}
