import { describe, expect, it } from 'vitest';
import { billingStateOf, entitlementsOf } from '../../../src/billing/account/state/entitlements.js';
import { after, Book, START } from './account-model.js';

const rights = (book: Book, now = book.now) => entitlementsOf(billingStateOf(book.account), now);
const end = (book: Book): Date | undefined => rights(book).gift?.expiresAt;

/** A business plan that runs for a week from {@link START}. */
function subscribed(): { book: Book; subscription: ReturnType<Book['order']> } {
  const book = new Book();
  const subscription = book.order('business');
  book.run(subscription);
  return { book, subscription };
}

describe('gift codes', () => {
  it('add their time to what runs, in either order', () => {
    expect(end(new Book().gift(30).gift(7))).toEqual(after(START, 37));
    expect(end(new Book().gift(7).gift(30))).toEqual(after(START, 37));
  });

  it('begin now after the one before has ended', () => {
    const book = new Book().gift(7);
    book.now = after(START, 10);
    expect(end(book.gift(7))).toEqual(after(START, 17));
  });

  it('begin at once beside a personal plan', () => {
    const book = new Book();
    book.run(book.order('personal'));
    expect(end(book.gift(7))).toEqual(after(START, 7));
    expect(rights(book).exports).toBeNull();
  });

  it('begin when the business plan ends, and move when it renews', () => {
    const { book, subscription } = subscribed();
    expect(end(book.gift(7))).toEqual(after(START, 14));
    book.now = after(START, 7);
    book.run(subscription, { currentPeriodStart: book.now, currentPeriodEnd: after(START, 14) });
    expect(end(book)).toEqual(after(START, 21));
    book.now = after(START, 14);
    expect(rights(book)).toMatchObject({ running: null, isGiftCodeActive: true, exports: null });
  });

  it('begin at once when the business plan is revoked', () => {
    const { book, subscription } = subscribed();
    book.gift(7);
    book.now = after(START, 2);
    book.run(subscription, { isDisputed: true });
    expect(end(book)).toEqual(after(START, 9));
  });

  it('keep what is left of them when a business plan begins', () => {
    const book = new Book().gift(7);
    book.now = after(START, 5);
    const subscription = book.order('business');
    book.run(subscription);
    expect(end(book)).toEqual(after(START, 5 + 7 + 2));
  });

  it('of a guest and of an account add up when the guest logs in', () => {
    const book = new Book().gift(7);
    const [gift] = new Book().gift(30).account.gifts;
    if (gift) book.account = { ...book.account, gifts: [...book.account.gifts, gift] };
    expect(end(book.apply({ kind: 'guest_merged', at: START }))).toEqual(after(START, 37));
  });
});

describe('during a trial', () => {
  const trial = { status: 'trialing', trialEnd: after(START, 7), paidCents: 0 } as const;

  it('the allowance is a week’s, whatever the period', () => {
    const book = new Book();
    const subscription = book.order('personal', { trial: true, period: 'yearly' });
    book.run(subscription, trial);
    expect(rights(book).exports).toBe(20);
    for (let count = 0; count < 25; count += 1) book.export();
    expect(rights(book).exportsUsed).toBe(20);
    book.now = after(START, 7);
    const paid = { currentPeriodStart: book.now, currentPeriodEnd: after(START, 371), trialEnd: trial.trialEnd };
    book.run(subscription, paid);
    expect(rights(book)).toMatchObject({ exports: 1040, exportsUsed: 0 });
  });

  it('that was cancelled it stays a week’s', () => {
    const book = new Book();
    const subscription = book.order('personal', { trial: true, period: 'monthly' });
    book.run(subscription, { ...trial, status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(book).exports).toBe(20);
  });

  it('business stays unlimited', () => {
    const book = new Book();
    book.run(book.order('business', { trial: true, period: 'yearly' }), trial);
    expect(rights(book).exports).toBeNull();
  });
});
