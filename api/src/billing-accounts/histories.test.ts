import fc from 'fast-check';
import { expect, it } from 'vitest';
import { History } from '../../test/support/histories/histories.js';
import { anyHistory, HISTORY_COUNT } from '../../test/support/histories/history-events.js';
import type { BillingAccount } from './billing-account.js';
import { planPriceOfSubscription } from './entitlements.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function expectInvariants(history: History): void {
  const { account } = history.accountModel;
  const pools = new Map<string | null, number>();
  for (const { taskId, amount } of account.credits) pools.set(taskId, (pools.get(taskId) ?? 0) + amount);
  for (const balance of pools.values()) expect(balance).toBeGreaterThanOrEqual(0);
  const purchases = account.credits.filter(({ reason }) => reason === 'purchase');
  expect(new Set(purchases.map(({ paymentId }) => paymentId)).size).toBe(purchases.length);
  expect(new Set(account.exports.map(({ taskId }) => taskId)).size).toBe(account.exports.length);
  expect(account.trials.length).toBeLessThanOrEqual(1);
  const periods = new Map<string, number>();
  for (const { source, subscriptionId, periodStart } of account.exports) {
    const period = `${subscriptionId}:${periodStart?.getTime()}`;
    if (source !== 'period') continue;
    const used = (periods.get(period) ?? 0) + 1;
    periods.set(period, used);
    expect(used).toBeLessThanOrEqual(allowanceOf(account, subscriptionId, periodStart));
  }
  expectConsistentGifts(history);
}

/** Includes the period that a change of period replaced, whose use is carried over. */
function allowanceOf(account: BillingAccount, subscriptionId: string | null, periodStart: Date | null): number {
  const row = account.subscriptions.find(({ id }) => id === subscriptionId);
  const price = row && planPriceOfSubscription(row);
  if (!price) return 0;
  const isTrial = row.trialEnd && periodStart && periodStart < row.trialEnd;
  const own = isTrial ? 20 : (price.exports ?? 0);
  return Math.max(own, row.replacesId ? allowanceOf(account, row.replacesId, null) : 0);
}

function expectConsistentGifts({ accountModel: { account, now }, giftMs, entitlements }: History): void {
  const open = account.gifts.filter(({ expiresAt }) => expiresAt > now);
  const left = open.map(({ startsAt, expiresAt }) => expiresAt.getTime() - Math.max(startsAt.getTime(), now.getTime()));
  expect(sum(left)).toBe(giftMs);
  expect(entitlements.isGiftCodeActive).toBe(giftMs > 0);
  const ordered = open.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  for (const [index, gift] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next) expect(next.startsAt).toEqual(gift.expiresAt);
  }
}

/** Call after all reads. What is granted is what was paid for. */
function expectAgreement(history: History): void {
  const { accountModel, providerModel, entitlements, approvals } = history;
  const { account, now } = accountModel;
  const paid = account.payments.filter(({ id }) => providerModel.payments.get(id)?.status === 'succeeded');
  const granted = account.credits.filter(({ reason }) => reason === 'purchase');
  expect(granted.map(({ paymentId }) => paymentId).sort()).toEqual(paid.map(({ id }) => id).sort());

  const spent = account.exports.filter(({ source }) => source === 'credit').length;
  const of = (...reasons: string[]) =>
    sum(account.credits.filter(({ reason }) => reasons.includes(reason)).map(({ amount }) => amount));
  expect(spent + of('export', 'return')).toBe(0);
  const balance = sum(account.credits.map(({ amount }) => amount));
  const had = balance + spent - of('forfeit');
  const bought = sum(paid.map(({ exports }) => exports));
  const kept = sum(
    paid.map(({ id, exports, amountCents }) => {
      const state = providerModel.payments.get(id);
      if (state?.isDisputed) return 0;
      return exports - Math.floor((exports * (state?.refundedCents ?? 0)) / amountCents);
    }),
  );
  // At most what was bought, at least what the unrefunded money has bought.
  expect(had).toBeLessThanOrEqual(bought);
  expect(had).toBeGreaterThanOrEqual(kept);

  const running = [...providerModel.subscriptions.values()].filter(
    ({ status, currentPeriodEnd, paidCents, trialEnd, isDisputed, isReplaced }) =>
      !isDisputed &&
      !isReplaced &&
      now < currentPeriodEnd &&
      (['trialing', 'active'].includes(status) ||
        (status === 'canceled' && (paidCents > 0 || (trialEnd !== null && now < trialEnd)))),
  );
  expect(running.length > 0).toBe(entitlements.running !== null);
  const hasBusiness = running.some(({ priceId }) => priceId.startsWith('business'));
  if (running.length > 0) expect(entitlements.subscribedPlan).toBe(hasBusiness ? 'business' : 'personal');

  // Agreed credits are forfeited only for a subscription that has started.
  for (const { id, reason } of account.credits) {
    if (reason !== 'forfeit') continue;
    const begun = providerModel.subscriptions.get(id.slice('forfeit:'.length));
    expect((begun?.chargedCents ?? 0) > 0 || begun?.trialEnd).toBeTruthy();
  }

  // Each wallet approval was fulfilled once or refunded in full.
  for (const approval of approvals.all) {
    const { providerId } = approval.order;
    const rows = account.subscriptions.filter((row) => row.providerId === providerId);
    expect(rows).toHaveLength(approval.isRefused ? 0 : 1);
    const refused = providerModel.subscriptions.get(providerId);
    if (approval.isRefused) expect(refused?.refundedCents).toBe(refused?.chargedCents);
  }

  // At most one charging subscription, and no refund above its charges.
  const charging = [...providerModel.subscriptions.values()].filter(
    ({ endedAt, isReplaced }) => !endedAt && !isReplaced,
  );
  expect(charging.length).toBeLessThanOrEqual(1);
  for (const { chargedCents, refundedCents } of providerModel.subscriptions.values())
    expect(refundedCents).toBeLessThanOrEqual(chargedCents);
}

it(`${HISTORY_COUNT} random histories grant exactly what was paid for`, {
  timeout: 120_000 + HISTORY_COUNT * 100,
}, () => {
  fc.assert(
    fc.property(anyHistory, (events) => {
      const history = new History();
      for (const event of events) {
        history.apply(event);
        expectInvariants(history);
      }
      history.settle();
      expectInvariants(history);
      expectAgreement(history);
    }),
    { numRuns: HISTORY_COUNT },
  );
});
