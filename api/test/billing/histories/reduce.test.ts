import { randomUUID } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../src/billing/account/state/billing-account.js';
import { billingStateOf, entitlementsOf } from '../../../src/billing/account/state/entitlements.js';
import { prorationOf } from '../../../src/billing/account/state/proration.js';
import { exportSourceOf } from '../../../src/billing/account/state/reduce-export.js';
import { AccountModel, after, START } from './account-model.js';

const rights = (accountModel: AccountModel, now = accountModel.now) =>
  entitlementsOf(billingStateOf(accountModel.account), now);
const credits = (accountModel: AccountModel): number => billingStateOf(accountModel.account).credits;
const exported = (accountModel: AccountModel): number => accountModel.account.exports.length;

describe('a purchase', () => {
  it('grants its downloads once, however often it is read', () => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    accountModel.pay(payment).pay(payment).pay(payment);
    expect(credits(accountModel)).toBe(3);
  });

  it('grants nothing until it is paid', () => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    for (const status of ['pending', 'approved', 'failed', 'canceled'] as const) accountModel.pay(payment, { status });
    expect(credits(accountModel)).toBe(0);
    expect(credits(accountModel.pay(payment))).toBe(3);
  });

  it.each([
    ['another amount', { amountCents: 1 }],
    ['another currency', { currency: 'eur' as const }],
    ['another customer', { customerId: 'cus_other' }],
    ['another order', { reference: randomUUID() }],
    ['another provider', { provider: 'paypal' as const }],
  ])('of %s grants nothing', (_what, told) => {
    const accountModel = new AccountModel();
    expect(credits(accountModel.pay(accountModel.payment(), told))).toBe(0);
  });

  it('ignores an older reading that arrives late', () => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    const [early, late] = [accountModel.nextReadNo(), accountModel.nextReadNo()];
    accountModel.pay(payment, { refundedCents: payment.amountCents }, late).pay(payment, {}, early);
    expect(credits(accountModel)).toBe(0);
    expect(accountModel.account.payments[0]?.refundedCents).toBe(payment.amountCents);
  });

  it.each([
    ['all', 999, 0],
    ['a third', 333, 2],
    ['less than a download', 332, 3],
    ['two thirds', 666, 1],
  ])('of which %s is refunded', (_what, refundedCents, left) => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    accountModel.pay(payment).pay(payment, { refundedCents }).pay(payment, { refundedCents });
    expect(credits(accountModel)).toBe(left);
  });

  it('with a refund revokes at most the rest, and nothing of a later purchase', () => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    accountModel.pay(payment);
    accountModel.export();
    accountModel.export();
    accountModel.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(accountModel)).toBe(0);
    accountModel.pay(accountModel.payment());
    accountModel.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(accountModel)).toBe(3);
  });

  it('with a dispute is revoked at once, and restored when the dispute is won', () => {
    const accountModel = new AccountModel();
    const payment = accountModel.payment();
    accountModel.pay(payment);
    accountModel.export();
    expect(credits(accountModel.pay(payment, { isDisputed: true }))).toBe(0);
    expect(credits(accountModel.pay(payment, { isDisputed: false }))).toBe(2);
    expect(credits(accountModel.pay(payment, { isDisputed: true }))).toBe(0);
  });
});

describe('a guest’s single download', () => {
  it('is valid for its task only, once', () => {
    const accountModel = new AccountModel();
    const taskId = randomUUID();
    accountModel.pay(accountModel.payment('single_export', taskId));
    accountModel.export();
    expect(exported(accountModel)).toBe(0);
    accountModel.export(taskId);
    accountModel.export(taskId);
    expect([exported(accountModel), credits(accountModel)]).toEqual([1, 0]);
  });
});

describe('a subscription', () => {
  it.each([
    ['trialing', true],
    ['active', true],
    ['incomplete', false],
    ['incomplete_expired', false],
    ['past_due', false],
    ['unpaid', false],
    ['paused', false],
  ] as const)('that is %s: %s', (status, isSubscribed) => {
    const accountModel = new AccountModel();
    accountModel.run(accountModel.order(), { status });
    expect(rights(accountModel).subscribedPlan).toBe(isSubscribed ? 'personal' : null);
    expect(rights(accountModel).isIncomplete).toBe(status === 'incomplete');
  });

  it('ends exactly at the end of its period', () => {
    const accountModel = new AccountModel();
    accountModel.run(accountModel.order());
    const end = after(START, 7);
    expect(rights(accountModel, new Date(end.getTime() - 1)).subscribedPlan).toBe('personal');
    expect(rights(accountModel, end).subscribedPlan).toBeNull();
  });

  it('lasts after cancellation as long as it is paid for', () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order();
    accountModel.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(accountModel).subscribedPlan).toBe('personal');
    accountModel.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START, paidCents: 0 });
    expect(rights(accountModel).subscribedPlan).toBeNull();
  });

  it('ends at once with a dispute', () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order();
    accountModel.run(subscription).run(subscription, { isDisputed: true });
    expect(rights(accountModel).subscribedPlan).toBeNull();
  });

  it('forfeits the agreed credits when it starts, not before', () => {
    const accountModel = new AccountModel();
    accountModel.pay(accountModel.payment());
    const subscription = accountModel.order('personal', { forfeit: 3 });
    expect(credits(accountModel)).toBe(3);
    expect(credits(accountModel.run(subscription, { status: 'incomplete' }))).toBe(3);
    expect(credits(accountModel.run(subscription))).toBe(0);
    accountModel.pay(accountModel.payment());
    expect(credits(accountModel.run(subscription))).toBe(3);
  });

  it('grants nothing once it was replaced, whatever its provider reports', () => {
    const accountModel = new AccountModel();
    const old = accountModel.order();
    accountModel.run(old);
    const next = accountModel.order('business', { replaces: old.id });
    expect(rights(accountModel).subscribedPlan).toBe('personal');
    accountModel.run(next);
    expect(rights(accountModel).subscribedPlan).toBe('business');
    accountModel.run(next, { status: 'past_due' });
    expect(rights(accountModel).subscribedPlan).toBeNull();
  });

  it('consumes the trial once it has started, and returns it if it never does', () => {
    const accountModel = new AccountModel();
    const trialEnd = after(START, 7);
    const first = accountModel.order('personal', { trial: true });
    expect(rights(accountModel).hadTrial).toBe(true);
    accountModel.run(first, { status: 'incomplete_expired' });
    expect(rights(accountModel).hadTrial).toBe(false);
    accountModel.run(accountModel.order('personal', { trial: true }), { status: 'trialing', trialEnd, paidCents: 0 });
    expect(rights(accountModel)).toMatchObject({ hadTrial: true, subscribedPlan: 'personal' });
  });

  it('is abandoned if its provider never created it, and adopted if it appears later', () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order();
    accountModel.apply({ kind: 'subscription_abandoned', subscriptionId: subscription.id, at: START });
    expect(rights(accountModel).managed).toBeNull();
    expect(rights(accountModel.run(subscription)).subscribedPlan).toBe('personal');
  });
});

describe('downloads', () => {
  it('are charged to the period first, then to credits', () => {
    const accountModel = new AccountModel();
    accountModel.pay(accountModel.payment('single_export'));
    accountModel.run(accountModel.order());
    for (let index = 0; index < 22; index += 1) accountModel.export();
    expect([exported(accountModel), credits(accountModel)]).toEqual([21, 0]);
    expect(rights(accountModel)).toMatchObject({ exports: 20, exportsUsed: 20 });
    expect(
      exportSourceOf(accountModel.account, { taskId: randomUUID(), isFree: false, at: accountModel.now }),
    ).toBeNull();
  });

  it('start again with the next period', () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order();
    accountModel.run(subscription);
    accountModel.export();
    accountModel.now = after(START, 7);
    accountModel.run(subscription, {
      currentPeriodStart: accountModel.now,
      currentPeriodEnd: after(accountModel.now, 7),
    });
    expect(rights(accountModel)).toMatchObject({ exports: 20, exportsUsed: 0 });
  });

  it('are free with business, a gift code or when set free by staff', () => {
    const accountModel = new AccountModel();
    accountModel.gift(1);
    accountModel.pay(accountModel.payment());
    accountModel.export();
    expect([exported(accountModel), credits(accountModel)]).toEqual([1, 3]);
    const source = exportSourceOf(new AccountModel().account, { taskId: randomUUID(), isFree: true, at: START });
    expect(source).toEqual({ from: 'unlimited' });
  });

  it('return to their source when rendering fails', () => {
    const accountModel = new AccountModel();
    accountModel.pay(accountModel.payment('single_export'));
    const taskId = accountModel.export();
    expect(credits(accountModel)).toBe(0);
    accountModel.apply({ kind: 'export_released', taskId, at: START }, { kind: 'export_released', taskId, at: START });
    expect([exported(accountModel), credits(accountModel)]).toEqual([0, 1]);
    accountModel.export(taskId);
    accountModel.apply({ kind: 'export_committed', taskId }, { kind: 'export_released', taskId, at: START });
    expect([exported(accountModel), balanceOf(accountModel.account, null)]).toEqual([1, 0]);
  });
});

describe('a gift code', () => {
  it('ends at its expiry instant (case 23)', () => {
    const accountModel = new AccountModel();
    const expiresAt = after(START, 30);
    const gift = { kind: 'gift_redeemed', id: randomUUID(), codeId: randomUUID(), at: START } as const;
    const durationMs = inMilliseconds.days(30);
    accountModel.apply({ ...gift, durationMs }, { ...gift, id: randomUUID(), durationMs });
    expect(accountModel.account.gifts).toHaveLength(1);
    expect(rights(accountModel, new Date(expiresAt.getTime() - 1)).isGiftCodeActive).toBe(true);
    expect(rights(accountModel, expiresAt)).toMatchObject({ isGiftCodeActive: false, exports: 0 });
  });
});

describe('the refund of an upgrade', () => {
  const left = (told: object, days: number) => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order();
    accountModel.run(subscription, told);
    const [row = subscription] = accountModel.account.subscriptions;
    return prorationOf(row, after(START, days));
  };
  it.each([
    ['all of it at the start', {}, 0, 999, 7],
    ['half at half time, rounded half up', {}, 3.5, 500, 4],
    ['nothing at the end', {}, 7, 0, 0],
    ['nothing after the end', {}, 8, 0, 0],
    ['at most what was paid: an intro week', { paidCents: 99 }, 1, 99, 6],
    ['at most the rest after a refund', { paidCents: 250 }, 1, 250, 6],
  ])('%s', (_what, told, days, remainingCents, daysLeft) =>
    expect(left(told, days)).toMatchObject({ remainingCents, daysLeft }),
  );

  it('is zero in a trial', () => {
    const trial = { status: 'trialing' as const, trialEnd: after(START, 7), paidCents: 0 };
    expect(left(trial, 3)).toEqual({ remainingCents: 0, daysLeft: 4, isTrialing: true });
  });

  it('is the same to the cent for the same moment', () => {
    const moment = 2 + 1 / 3;
    expect(left({}, moment)).toEqual(left({}, moment));
    expect(left({}, moment).remainingCents).toBe(Math.floor((999 * (7 - moment)) / 7 + 0.5));
  });
});
