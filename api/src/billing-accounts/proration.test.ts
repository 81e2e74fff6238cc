import { describe, expect, it } from 'vitest';
import { AccountModel, after, START } from '../../test/support/histories/account-model.js';
import { prorationOf } from './proration.js';

describe('the refund of an upgrade', () => {
  const left = (told: object, days: number) => {
    const model = new AccountModel();
    const subscription = model.order();
    model.run(subscription, told);
    const [row = subscription] = model.account.subscriptions;
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
