import { randomUUID } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../src/billing/account/state/billing-account.js';
import { billingStateOf, entitlementsOf } from '../../../src/billing/account/state/entitlements.js';
import { prorationOf } from '../../../src/billing/account/state/proration.js';
import { exportSourceOf } from '../../../src/billing/account/state/reduce-export.js';
import { after, Book, START } from './account-model.js';

const rights = (book: Book, now = book.now) => entitlementsOf(billingStateOf(book.account), now);
const credits = (book: Book): number => billingStateOf(book.account).credits;
const exported = (book: Book): number => book.account.exports.length;

describe('a purchase', () => {
  it('grants its downloads once, however often it is read', () => {
    const book = new Book();
    const payment = book.payment();
    book.pay(payment).pay(payment).pay(payment);
    expect(credits(book)).toBe(3);
  });

  it('grants nothing while it is not paid', () => {
    const book = new Book();
    const payment = book.payment();
    for (const status of ['pending', 'approved', 'failed', 'canceled'] as const) book.pay(payment, { status });
    expect(credits(book)).toBe(0);
    expect(credits(book.pay(payment))).toBe(3);
  });

  it.each([
    ['another amount', { amountCents: 1 }],
    ['another currency', { currency: 'eur' as const }],
    ['another customer', { customerId: 'cus_other' }],
    ['another order', { reference: randomUUID() }],
    ['another provider', { provider: 'paypal' as const }],
  ])('of %s grants nothing', (_what, told) => {
    const book = new Book();
    expect(credits(book.pay(book.payment(), told))).toBe(0);
  });

  it('that was read late does not undo what was read since', () => {
    const book = new Book();
    const payment = book.payment();
    const [early, late] = [book.reading(), book.reading()];
    book.pay(payment, { refundedCents: payment.amountCents }, late).pay(payment, {}, early);
    expect(credits(book)).toBe(0);
    expect(book.account.payments[0]?.refundedCents).toBe(payment.amountCents);
  });

  it.each([
    ['all', 999, 0],
    ['a third', 333, 2],
    ['less than a download', 332, 3],
    ['two thirds', 666, 1],
  ])('of which %s is refunded', (_what, refundedCents, left) => {
    const book = new Book();
    const payment = book.payment();
    book.pay(payment).pay(payment, { refundedCents }).pay(payment, { refundedCents });
    expect(credits(book)).toBe(left);
  });

  it('that is refunded takes at most what is left, also not from the next one', () => {
    const book = new Book();
    const payment = book.payment();
    book.pay(payment);
    book.export();
    book.export();
    book.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(book)).toBe(0);
    book.pay(book.payment());
    book.pay(payment, { refundedCents: payment.amountCents });
    expect(credits(book)).toBe(3);
  });

  it('that is disputed is taken away at once, and given back when the dispute is won', () => {
    const book = new Book();
    const payment = book.payment();
    book.pay(payment);
    book.export();
    expect(credits(book.pay(payment, { isDisputed: true }))).toBe(0);
    expect(credits(book.pay(payment, { isDisputed: false }))).toBe(2);
    expect(credits(book.pay(payment, { isDisputed: true }))).toBe(0);
  });
});

describe('a guest’s single download', () => {
  it('is good for its task only, and once', () => {
    const book = new Book();
    const taskId = randomUUID();
    book.pay(book.payment('single_export', taskId));
    book.export();
    expect(exported(book)).toBe(0);
    book.export(taskId);
    book.export(taskId);
    expect([exported(book), credits(book)]).toEqual([1, 0]);
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
    const book = new Book();
    book.run(book.order(), { status });
    expect(rights(book).subscribedPlan).toBe(isSubscribed ? 'personal' : null);
    expect(rights(book).isIncomplete).toBe(status === 'incomplete');
  });

  it('is over at the very instant of its end', () => {
    const book = new Book();
    book.run(book.order());
    const end = after(START, 7);
    expect(rights(book, new Date(end.getTime() - 1)).subscribedPlan).toBe('personal');
    expect(rights(book, end).subscribedPlan).toBeNull();
  });

  it('that was cancelled lasts as long as it is paid for', () => {
    const book = new Book();
    const subscription = book.order();
    book.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(book).subscribedPlan).toBe('personal');
    book.run(subscription, { status: 'canceled', canceledAt: START, endedAt: START, paidCents: 0 });
    expect(rights(book).subscribedPlan).toBeNull();
  });

  it('ends at once with a dispute', () => {
    const book = new Book();
    const subscription = book.order();
    book.run(subscription).run(subscription, { isDisputed: true });
    expect(rights(book).subscribedPlan).toBeNull();
  });

  it('takes the credits that were agreed on when it runs, and not before', () => {
    const book = new Book();
    book.pay(book.payment());
    const subscription = book.order('personal', { forfeit: 3 });
    expect(credits(book)).toBe(3);
    expect(credits(book.run(subscription, { status: 'incomplete' }))).toBe(3);
    expect(credits(book.run(subscription))).toBe(0);
    book.pay(book.payment());
    expect(credits(book.run(subscription))).toBe(3);
  });

  it('that replaces another leaves it no rights, whatever its provider still says of it', () => {
    const book = new Book();
    const old = book.order();
    book.run(old);
    const next = book.order('business', { replaces: old.id });
    expect(rights(book).subscribedPlan).toBe('personal');
    book.run(next);
    expect(rights(book).subscribedPlan).toBe('business');
    book.run(next, { status: 'past_due' });
    expect(rights(book).subscribedPlan).toBeNull();
  });

  it('uses up the trial once it has begun, and gives it back when it never does', () => {
    const book = new Book();
    const trialEnd = after(START, 7);
    const first = book.order('personal', { trial: true });
    expect(rights(book).hadTrial).toBe(true);
    book.run(first, { status: 'incomplete_expired' });
    expect(rights(book).hadTrial).toBe(false);
    book.run(book.order('personal', { trial: true }), { status: 'trialing', trialEnd, paidCents: 0 });
    expect(rights(book)).toMatchObject({ hadTrial: true, subscribedPlan: 'personal' });
  });

  it('that its provider never made is given up, and taken on all the same should it turn up', () => {
    const book = new Book();
    const subscription = book.order();
    book.apply({ kind: 'subscription_abandoned', subscriptionId: subscription.id, at: START });
    expect(rights(book).managed).toBeNull();
    expect(rights(book.run(subscription)).subscribedPlan).toBe('personal');
  });
});

describe('downloads', () => {
  it('come from the period first, then from credits', () => {
    const book = new Book();
    book.pay(book.payment('single_export'));
    book.run(book.order());
    for (let index = 0; index < 22; index += 1) book.export();
    expect([exported(book), credits(book)]).toEqual([21, 0]);
    expect(rights(book)).toMatchObject({ exports: 20, exportsUsed: 20 });
    expect(exportSourceOf(book.account, { taskId: randomUUID(), isFree: false, at: book.now })).toBeNull();
  });

  it('begin anew with the next period', () => {
    const book = new Book();
    const subscription = book.order();
    book.run(subscription);
    book.export();
    book.now = after(START, 7);
    book.run(subscription, { currentPeriodStart: book.now, currentPeriodEnd: after(book.now, 7) });
    expect(rights(book)).toMatchObject({ exports: 20, exportsUsed: 0 });
  });

  it('cost nothing with business, a gift code or by leave of staff', () => {
    const book = new Book();
    book.gift(1);
    book.pay(book.payment());
    book.export();
    expect([exported(book), credits(book)]).toEqual([1, 3]);
    const source = exportSourceOf(new Book().account, { taskId: randomUUID(), isFree: true, at: START });
    expect(source).toEqual({ from: 'unlimited' });
  });

  it('that could not be made go back to where they came from', () => {
    const book = new Book();
    book.pay(book.payment('single_export'));
    const taskId = book.export();
    expect(credits(book)).toBe(0);
    book.apply({ kind: 'export_released', taskId, at: START }, { kind: 'export_released', taskId, at: START });
    expect([exported(book), credits(book)]).toEqual([0, 1]);
    book.export(taskId);
    book.apply({ kind: 'export_committed', taskId }, { kind: 'export_released', taskId, at: START });
    expect([exported(book), balanceOf(book.account, null)]).toEqual([1, 0]);
  });
});

describe('a gift code', () => {
  it('at its expiry instant is over (case 23)', () => {
    const book = new Book();
    const expiresAt = after(START, 30);
    const gift = { kind: 'gift_redeemed', id: randomUUID(), codeId: randomUUID(), at: START } as const;
    const durationMs = inMilliseconds.days(30);
    book.apply({ ...gift, durationMs }, { ...gift, id: randomUUID(), durationMs });
    expect(book.account.gifts).toHaveLength(1);
    expect(rights(book, new Date(expiresAt.getTime() - 1)).isGiftCodeActive).toBe(true);
    expect(rights(book, expiresAt)).toMatchObject({ isGiftCodeActive: false, exports: 0 });
  });
});

describe('what an upgrade gives back', () => {
  const left = (told: object, days: number) => {
    const book = new Book();
    const subscription = book.order();
    book.run(subscription, told);
    const [row = subscription] = book.account.subscriptions;
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

  it('nothing in a trial', () => {
    const trial = { status: 'trialing' as const, trialEnd: after(START, 7), paidCents: 0 };
    expect(left(trial, 3)).toEqual({ remainingCents: 0, daysLeft: 4, isTrialing: true });
  });

  it('is the same for the same moment, to the cent', () => {
    const moment = 2 + 1 / 3;
    expect(left({}, moment)).toEqual(left({}, moment));
    expect(left({}, moment).remainingCents).toBe(Math.floor((999 * (7 - moment)) / 7 + 0.5));
  });
});
