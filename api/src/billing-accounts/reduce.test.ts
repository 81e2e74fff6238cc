import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AccountModel, after, START } from '../../test/support/histories/account-model.js';
import { balanceOf } from './billing-account.js';
import { billingStateOf, entitlementsOf } from './entitlements.js';
import { exportSourceOf } from './reduce.js';

const rights = (model: AccountModel, now = model.now) => entitlementsOf(billingStateOf(model.account), now);
const credits = (model: AccountModel): number => billingStateOf(model.account).credits;
const exported = (model: AccountModel): number => model.account.exports.length;

describe('a purchase', () => {
  it('grants its downloads once, however often it is read', () => {
    const model = new AccountModel();
    const payment = model.payment();
    model.pay(payment).pay(payment).pay(payment);
    expect(credits(model)).toBe(3);
  });

  it('grants nothing until it is paid', () => {
    const model = new AccountModel();
    const payment = model.payment();
    for (const status of ['pending', 'approved', 'failed', 'canceled'] as const) model.pay(payment, { status });
    expect(credits(model)).toBe(0);
    expect(credits(model.pay(payment))).toBe(3);
  });

  it.each([
    ['another amount', { amountCents: 1 }],
    ['another currency', { currency: 'eur' as const }],
    ['another customer', { customerId: 'cus_other' }],
    ['another order', { reference: randomUUID() }],
    ['another provider', { provider: 'paypal' as const }],
  ])('of %s grants nothing', (_what, told) => {
    const model = new AccountModel();
    expect(credits(model.pay(model.payment(), told))).toBe(0);
  });

  it('ignores an older reading that arrives late', () => {
    const model = new AccountModel();
    const payment = model.payment();
    const [early, late] = [model.nextReadNo(), model.nextReadNo()];
    model.pay(payment, { refundedCents: payment.amountCents }, late).pay(payment, {}, early);
    expect(credits(model)).toBe(0);
    expect(model.account.payments[0]?.refundedCents).toBe(payment.amountCents);
  });

  it.each([
    ['all', 999, 0],
    ['a third', 333, 2],
    ['less than a download', 332, 3],
    ['two thirds', 666, 1],
  ])('of which %s is refunded', (_what, refundedCents, left) => {
    const model = new AccountModel();
    const payment = model.payment();
    model.pay(payment).pay(payment, { refundedCents }).pay(payment, { refundedCents });
    expect(credits(model)).toBe(left);
  });

  it('with a refund revokes at most the rest, and nothing of a later purchase', () => {
    const model = new AccountModel();
    const payment = model.payment();
    model.pay(payment);
    model.export();
    model.export();
    model.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(model)).toBe(0);
    model.pay(model.payment());
    model.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(model)).toBe(3);
  });

  it('with a dispute is revoked at once, and restored when the dispute is won', () => {
    const model = new AccountModel();
    const payment = model.payment();
    model.pay(payment);
    model.export();
    expect(credits(model.pay(payment, { isDisputed: true }))).toBe(0);
    expect(credits(model.pay(payment, { isDisputed: false }))).toBe(2);
    expect(credits(model.pay(payment, { isDisputed: true }))).toBe(0);
  });
});

describe('a guest’s single download', () => {
  it('paid twice is granted once, and a refund of the second payment takes nothing', () => {
    const model = new AccountModel();
    const taskId = randomUUID();
    const [first, second] = [model.payment('single_export', taskId), model.payment('single_export', taskId)];
    model.pay(first).pay(second);
    expect(model.account.payments.map(({ isDuplicate }) => isDuplicate)).toEqual([false, true]);
    model.pay(second, { refundedCents: second.amountCents });
    expect(credits(model)).toBe(1);
  });

  it('paid again after its refund or dispute is granted again', () => {
    for (const lost of [{ refundedCents: 499 }, { isDisputed: true }]) {
      const model = new AccountModel();
      const taskId = randomUUID();
      const [first, second] = [model.payment('single_export', taskId), model.payment('single_export', taskId)];
      model.pay(first).pay(first, lost).pay(second);
      expect([credits(model), model.account.payments[1]?.isDuplicate]).toEqual([1, false]);
    }
  });

  it('is valid for its task only, once', () => {
    const model = new AccountModel();
    const taskId = randomUUID();
    model.pay(model.payment('single_export', taskId));
    model.export();
    expect(exported(model)).toBe(0);
    model.export(taskId);
    model.export(taskId);
    expect([exported(model), credits(model)]).toEqual([1, 0]);
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
    const model = new AccountModel();
    model.run(model.order(), { status });
    expect(rights(model).subscribedPlan).toBe(isSubscribed ? 'personal' : null);
    expect(rights(model).isIncomplete).toBe(status === 'incomplete');
  });

  it('ends exactly at the end of its period', () => {
    const model = new AccountModel();
    model.run(model.order());
    const end = after(START, 7);
    expect(rights(model, new Date(end.getTime() - 1)).subscribedPlan).toBe('personal');
    expect(rights(model, end).subscribedPlan).toBeNull();
  });

  it('lasts after cancellation as long as it is paid for', () => {
    const model = new AccountModel();
    const subscription = model.order();
    model.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(model).subscribedPlan).toBe('personal');
    model.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START, paidCents: 0 });
    expect(rights(model).subscribedPlan).toBeNull();
  });

  it('ends at once with a dispute', () => {
    const model = new AccountModel();
    const subscription = model.order();
    model.run(subscription).run(subscription, { isDisputed: true });
    expect(rights(model).subscribedPlan).toBeNull();
  });

  it('forfeits the agreed credits when it starts, not before', () => {
    const model = new AccountModel();
    model.pay(model.payment());
    const subscription = model.order('personal', { forfeit: 3 });
    expect(credits(model)).toBe(3);
    expect(credits(model.run(subscription, { status: 'incomplete' }))).toBe(3);
    expect(credits(model.run(subscription))).toBe(0);
    model.pay(model.payment());
    expect(credits(model.run(subscription))).toBe(3);
  });

  it('grants nothing once it was replaced, whatever its provider reports', () => {
    const model = new AccountModel();
    const old = model.order();
    model.run(old);
    const next = model.order('business', { replaces: old.id });
    expect(rights(model).subscribedPlan).toBe('personal');
    model.run(next);
    expect(rights(model).subscribedPlan).toBe('business');
    model.run(next, { status: 'past_due' });
    expect(rights(model).subscribedPlan).toBeNull();
  });

  it('consumes the trial once it has started, and returns it if it never does', () => {
    const model = new AccountModel();
    const trialEnd = after(START, 7);
    const first = model.order('personal', { trial: true });
    expect(rights(model).hadTrial).toBe(true);
    model.run(first, { status: 'incomplete_expired' });
    expect(rights(model).hadTrial).toBe(false);
    model.run(model.order('personal', { trial: true }), { status: 'trialing', trialEnd, paidCents: 0 });
    expect(rights(model)).toMatchObject({ hadTrial: true, subscribedPlan: 'personal' });
  });

  it('is abandoned if its provider never created it, and adopted if it appears later', () => {
    const model = new AccountModel();
    const subscription = model.order();
    model.apply({ kind: 'subscription_abandoned', subscriptionId: subscription.id, at: START });
    expect(rights(model).managed).toBeNull();
    expect(rights(model.run(subscription)).subscribedPlan).toBe('personal');
  });
});

describe('downloads', () => {
  it('are charged to the period first, then to credits', () => {
    const model = new AccountModel();
    model.pay(model.payment('single_export'));
    model.run(model.order());
    for (let index = 0; index < 22; index += 1) model.export();
    expect([exported(model), credits(model)]).toEqual([21, 0]);
    expect(rights(model)).toMatchObject({ exports: 20, exportsUsed: 20 });
    expect(exportSourceOf(model.account, { taskId: randomUUID(), isFree: false, at: model.now })).toBeNull();
  });

  it('start again with the next period', () => {
    const model = new AccountModel();
    const subscription = model.order();
    model.run(subscription);
    model.export();
    model.now = after(START, 7);
    model.run(subscription, {
      currentPeriodStart: model.now,
      currentPeriodEnd: after(model.now, 7),
    });
    expect(rights(model)).toMatchObject({ exports: 20, exportsUsed: 0 });
  });

  it('are free with business, a gift code or when set free by staff', () => {
    const model = new AccountModel();
    model.gift(1);
    model.pay(model.payment());
    model.export();
    expect([exported(model), credits(model)]).toEqual([1, 3]);
    const source = exportSourceOf(new AccountModel().account, { taskId: randomUUID(), isFree: true, at: START });
    expect(source).toEqual({ from: 'unlimited' });
  });

  it('return to their source when rendering fails', () => {
    const model = new AccountModel();
    model.pay(model.payment('single_export'));
    const taskId = model.export();
    expect(credits(model)).toBe(0);
    model.apply({ kind: 'export_released', taskId, at: START }, { kind: 'export_released', taskId, at: START });
    expect([exported(model), credits(model)]).toEqual([0, 1]);
    model.export(taskId);
    model.apply({ kind: 'export_committed', taskId }, { kind: 'export_released', taskId, at: START });
    expect([exported(model), balanceOf(model.account, null)]).toEqual([1, 0]);
  });
});
