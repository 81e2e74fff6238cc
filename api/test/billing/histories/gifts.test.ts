import { describe, expect, it } from 'vitest';
import { billingStateOf, entitlementsOf } from '../../../src/billing/account/state/entitlements.js';
import { AccountModel, after, START } from './account-model.js';

const rights = (accountModel: AccountModel, now = accountModel.now) =>
  entitlementsOf(billingStateOf(accountModel.account), now);
const end = (accountModel: AccountModel): Date | undefined => rights(accountModel).gift?.expiresAt;

/** Runs for a week from {@link START}. */
function subscribed(): { accountModel: AccountModel; subscription: ReturnType<AccountModel['order']> } {
  const accountModel = new AccountModel();
  const subscription = accountModel.order('business');
  accountModel.run(subscription);
  return { accountModel, subscription };
}

describe('gift codes', () => {
  it('add up, in either order', () => {
    expect(end(new AccountModel().gift(30).gift(7))).toEqual(after(START, 37));
    expect(end(new AccountModel().gift(7).gift(30))).toEqual(after(START, 37));
  });

  it('start now when the previous one has ended', () => {
    const accountModel = new AccountModel().gift(7);
    accountModel.now = after(START, 10);
    expect(end(accountModel.gift(7))).toEqual(after(START, 17));
  });

  it('start at once during a personal plan', () => {
    const accountModel = new AccountModel();
    accountModel.run(accountModel.order('personal'));
    expect(end(accountModel.gift(7))).toEqual(after(START, 7));
    expect(rights(accountModel).exports).toBeNull();
  });

  it('start when the business plan ends, and move when it renews', () => {
    const { accountModel, subscription } = subscribed();
    expect(end(accountModel.gift(7))).toEqual(after(START, 14));
    accountModel.now = after(START, 7);
    accountModel.run(subscription, { currentPeriodStart: accountModel.now, currentPeriodEnd: after(START, 14) });
    expect(end(accountModel)).toEqual(after(START, 21));
    accountModel.now = after(START, 14);
    expect(rights(accountModel)).toMatchObject({ running: null, isGiftCodeActive: true, exports: null });
  });

  it('start at once when the business plan is revoked', () => {
    const { accountModel, subscription } = subscribed();
    accountModel.gift(7);
    accountModel.now = after(START, 2);
    accountModel.run(subscription, { isDisputed: true });
    expect(end(accountModel)).toEqual(after(START, 9));
  });

  it('keep their remaining time when a business plan starts', () => {
    const accountModel = new AccountModel().gift(7);
    accountModel.now = after(START, 5);
    const subscription = accountModel.order('business');
    accountModel.run(subscription);
    expect(end(accountModel)).toEqual(after(START, 5 + 7 + 2));
  });

  it('of a guest and an account add up when the guest logs in', () => {
    const accountModel = new AccountModel().gift(7);
    const [gift] = new AccountModel().gift(30).account.gifts;
    if (gift) accountModel.account = { ...accountModel.account, gifts: [...accountModel.account.gifts, gift] };
    expect(end(accountModel.apply({ kind: 'guest_merged', at: START }))).toEqual(after(START, 37));
  });
});

describe('during a trial', () => {
  const trial = { status: 'trialing', trialEnd: after(START, 7), paidCents: 0 } as const;

  it("the allowance is a week's, whatever the period", () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order('personal', { trial: true, period: 'yearly' });
    accountModel.run(subscription, trial);
    expect(rights(accountModel).exports).toBe(20);
    for (let count = 0; count < 25; count += 1) accountModel.export();
    expect(rights(accountModel).exportsUsed).toBe(20);
    accountModel.now = after(START, 7);
    const paid = {
      currentPeriodStart: accountModel.now,
      currentPeriodEnd: after(START, 371),
      trialEnd: trial.trialEnd,
    };
    accountModel.run(subscription, paid);
    expect(rights(accountModel)).toMatchObject({ exports: 1040, exportsUsed: 0 });
  });

  it("the allowance stays a week's after cancellation", () => {
    const accountModel = new AccountModel();
    const subscription = accountModel.order('personal', { trial: true, period: 'monthly' });
    accountModel.run(subscription, { ...trial, status: 'canceled', canceledAt: START, endedAt: START });
    expect(rights(accountModel).exports).toBe(20);
  });

  it('business stays unlimited', () => {
    const accountModel = new AccountModel();
    accountModel.run(accountModel.order('business', { trial: true, period: 'yearly' }), trial);
    expect(rights(accountModel).exports).toBeNull();
  });
});
