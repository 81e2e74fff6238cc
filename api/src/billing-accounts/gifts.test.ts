import { randomUUID } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { AccountModel, after, START } from '../../test/support/histories/account-model.js';
import { billingStateOf, entitlementsOf } from './entitlements.js';

const rights = (model: AccountModel, now = model.now) => entitlementsOf(billingStateOf(model.account), now);
const end = (model: AccountModel): Date | undefined => rights(model).gift?.expiresAt;

function subscribed(): { model: AccountModel; subscription: ReturnType<AccountModel['order']> } {
  const model = new AccountModel();
  const subscription = model.order('business');
  model.run(subscription);
  return { model, subscription };
}

describe('gift codes', () => {
  it('end at their expiry instant (case 23)', () => {
    const model = new AccountModel();
    const expiresAt = after(START, 30);
    const gift = { kind: 'gift_redeemed', id: randomUUID(), codeId: randomUUID(), at: START } as const;
    const durationMs = inMilliseconds.days(30);
    model.apply({ ...gift, durationMs }, { ...gift, id: randomUUID(), durationMs });
    expect(model.account.gifts).toHaveLength(1);
    expect(rights(model, new Date(expiresAt.getTime() - 1)).isGiftCodeActive).toBe(true);
    expect(rights(model, expiresAt)).toMatchObject({ isGiftCodeActive: false, exports: 0 });
  });

  it('add up, in either order', () => {
    expect(end(new AccountModel().gift(30).gift(7))).toEqual(after(START, 37));
    expect(end(new AccountModel().gift(7).gift(30))).toEqual(after(START, 37));
  });

  it('start now when the previous one has ended', () => {
    const model = new AccountModel().gift(7);
    model.now = after(START, 10);
    expect(end(model.gift(7))).toEqual(after(START, 17));
  });

  it('start at once during a personal plan', () => {
    const model = new AccountModel();
    model.run(model.order('personal'));
    expect(end(model.gift(7))).toEqual(after(START, 7));
    expect(rights(model).exports).toBeNull();
  });

  it('start when the business plan ends, and move when it renews', () => {
    const { model, subscription } = subscribed();
    expect(end(model.gift(7))).toEqual(after(START, 14));
    model.now = after(START, 7);
    model.run(subscription, { currentPeriodStart: model.now, currentPeriodEnd: after(START, 14) });
    expect(end(model)).toEqual(after(START, 21));
    model.now = after(START, 14);
    expect(rights(model)).toMatchObject({ running: null, isGiftCodeActive: true, exports: null });
  });

  it('start at once when the business plan is revoked', () => {
    const { model, subscription } = subscribed();
    model.gift(7);
    model.now = after(START, 2);
    model.run(subscription, { isDisputed: true });
    expect(end(model)).toEqual(after(START, 9));
  });

  it('keep their remaining time when a business plan starts', () => {
    const model = new AccountModel().gift(7);
    model.now = after(START, 5);
    const subscription = model.order('business');
    model.run(subscription);
    expect(end(model)).toEqual(after(START, 5 + 7 + 2));
  });

  it('of a guest and an account add up when the guest logs in', () => {
    const model = new AccountModel().gift(7);
    const [gift] = new AccountModel().gift(30).account.gifts;
    if (gift) model.account = { ...model.account, gifts: [...model.account.gifts, gift] };
    expect(end(model.apply({ kind: 'guest_merged', at: START }))).toEqual(after(START, 37));
  });
});

describe('during a trial', () => {
  const trial = { status: 'trialing', trialEnd: after(START, 7), paidCents: 0 } as const;

  it("the allowance is a week's, whatever the period", () => {
    const model = new AccountModel();
    const subscription = model.order('personal', { trial: true, period: 'yearly' });
    model.run(subscription, trial);
    expect(rights(model).exports).toBe(20);
    for (let count = 0; count < 25; count += 1) model.export();
    expect(rights(model).exportsUsed).toBe(20);
    model.now = after(START, 7);
    const paid = {
      currentPeriodStart: model.now,
      currentPeriodEnd: after(START, 371),
      trialEnd: trial.trialEnd,
    };
    model.run(subscription, paid);
    expect(rights(model)).toMatchObject({ exports: 1040, exportsUsed: 0 });
  });

  it("the allowance stays a week's after cancellation", () => {
    const model = new AccountModel();
    const subscription = model.order('personal', { trial: true, period: 'monthly' });
    model.run(subscription, { ...trial, status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(model).exports).toBe(20);
  });

  it('business stays unlimited', () => {
    const model = new AccountModel();
    model.run(model.order('business', { trial: true, period: 'yearly' }), trial);
    expect(rights(model).exports).toBeNull();
  });
});
