import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_SECONDS, PayPalSandbox, paypalConfig } from '../../../test/support/billing/paypal-sandbox.js';
import { ProviderUnavailable } from '../payment-provider.js';
import { PayPalPlans } from './paypal-plans.js';

let sandbox: PayPalSandbox;
beforeAll(async () => {
  sandbox = await PayPalSandbox.start();
});
afterAll(() => sandbox.stop());

const WEEK = 7 * DAY_SECONDS;
const newKey = (): string => randomUUID();
const daysBetween = (from: Date, to: Date | null): number => ((to?.getTime() ?? 0) - from.getTime()) / 86_400_000;

describe('a subscription by wallet', () => {
  it('is charged at once and at the end of each period', async () => {
    const id = await sandbox.subscribe('business_monthly_usd', { customId: 'buyer-2' });
    const first = await sandbox.read(id);
    expect(first).toMatchObject({
      provider: 'paypal',
      customerId: null,
      reference: 'buyer-2',
      status: 'active',
      paidCents: 5199,
      trialEnd: null,
      priceId: 'sbx_plan_business_monthly_usd',
    });
    expect(daysBetween(first.currentPeriodStart, first.currentPeriodEnd)).toBe(28);
    await sandbox.advance(28 * DAY_SECONDS);
    const second = await sandbox.read(id);
    expect(second).toMatchObject({ status: 'active', paidCents: 5199, currentPeriodStart: first.currentPeriodEnd });
    expect(await sandbox.events(id)).toEqual([
      'BILLING.SUBSCRIPTION.ACTIVATED',
      'PAYMENT.SALE.COMPLETED',
      'PAYMENT.SALE.COMPLETED',
    ]);
  });

  it('is free during its trial', async () => {
    const id = await sandbox.subscribe('personal_weekly_usd', { trial: true });
    const trial = await sandbox.read(id);
    expect(trial).toMatchObject({ status: 'trialing', paidCents: 0, currentPeriodEnd: trial.trialEnd });
    expect(daysBetween(trial.createdAt, trial.trialEnd)).toBe(7);
    await sandbox.advance(WEEK);
    expect(await sandbox.read(id)).toMatchObject({ status: 'active', paidCents: 999, trialEnd: trial.trialEnd });
  });

  it('ends at once and keeps the paid period', async () => {
    const id = await sandbox.subscribe();
    await sandbox.advance(WEEK + DAY_SECONDS);
    const { currentPeriodEnd } = await sandbox.read(id);
    const key = newKey();
    const ended = await sandbox.wallet.endSubscription(id, key);
    expect(ended).toMatchObject({ status: 'canceled', paidCents: 999, currentPeriodEnd });
    expect(ended.endedAt).not.toBeNull();
    expect(await sandbox.wallet.endSubscription(id, key)).toEqual(ended);
    expect(await sandbox.wallet.endSubscription(id, newKey())).toEqual(ended);
    await sandbox.advance(WEEK);
    expect(await sandbox.read(id)).toEqual(ended);
  });

  it('is past due while a failed charge is retried, then suspended', async () => {
    const id = await sandbox.subscribe();
    const paid = await sandbox.read(id);
    await sandbox.server.wallet.failFutureCharges(id);
    await sandbox.advance(WEEK);
    const unpaid = { paidCents: 0, currentPeriodStart: paid.currentPeriodEnd };
    expect(await sandbox.read(id)).toMatchObject({ ...unpaid, status: 'past_due' });
    await sandbox.advance(5 * DAY_SECONDS);
    expect(await sandbox.read(id)).toMatchObject({ ...unpaid, status: 'unpaid' });
    expect((await sandbox.events(id)).at(-1)).toBe('BILLING.SUBSCRIPTION.SUSPENDED');
    expect(await sandbox.wallet.endSubscription(id, newKey())).toMatchObject({ ...unpaid, status: 'canceled' });
  });

  it('is unknown with an id that is malformed or not its own', async () => {
    for (const id of ['sbx_sub_none', '../plans', 'a b', '']) {
      expect(await sandbox.wallet.readSubscription(id)).toBeNull();
    }
  });
});

describe('a refund', () => {
  it('is made once for each key, of the running period, and at most the rest', async () => {
    const id = await sandbox.subscribe();
    const key = newKey();
    expect(await sandbox.wallet.refundSubscription(id, 400, key)).toBe(400);
    expect(await sandbox.wallet.refundSubscription(id, 400, key)).toBe(400);
    expect(await sandbox.read(id)).toMatchObject({ paidCents: 599 });
    expect(await sandbox.wallet.refundSubscription(id, 900, newKey())).toBe(599);
    expect(await sandbox.wallet.refundSubscription(id, 1, newKey())).toBe(0);
    expect(await sandbox.read(id)).toMatchObject({ paidCents: 0 });
  });

  it('whose response was lost is found again', async () => {
    const id = await sandbox.subscribe();
    const key = newKey();
    const operation = 'POST /v2/payments/captures/{id}/refund';
    sandbox.server.walletFaults.add({ operation, kind: 'drop_after', times: 1 });
    await expect(sandbox.wallet.refundSubscription(id, 700, key)).rejects.toThrow(ProviderUnavailable);
    expect(await sandbox.wallet.refundSubscription(id, 700, key)).toBe(700);
    expect(await sandbox.read(id)).toMatchObject({ paidCents: 299 });
  });

  it('is not made of a disputed payment', async () => {
    const id = await sandbox.subscribe();
    await sandbox.server.wallet.dispute(id);
    expect(await sandbox.read(id)).toMatchObject({ isDisputed: true, paidCents: 999 });
    expect(await sandbox.wallet.refundSubscription(id, 999, newKey())).toBe(0);
  });
});

describe('the plans', () => {
  it('are those of the catalogue', () => sandbox.plans.onApplicationBootstrap());

  it.each([
    ['of another price', { PAYPAL_PLANS: 'sbx_plan_personal_weekly_usd*' }, 'does not exist'],
    [
      'with another trial',
      { PAYPAL_PLANS: 'sbx_plan_*_ft', PAYPAL_TRIAL_PLANS: 'sbx_plan_*' },
      'has a trial of 7 days, not 0 free ones',
    ],
  ])('stop the start %s', async (_name, changes, problem) => {
    const plans = new PayPalPlans(paypalConfig(sandbox.server.url, changes));
    await expect(plans.onApplicationBootstrap()).rejects.toThrow(problem);
  });

  it('with and without a trial are different ones', () => {
    const same = () => paypalConfig(sandbox.server.url, { PAYPAL_TRIAL_PLANS: 'sbx_plan_*' });
    expect(same).toThrow('PAYPAL_TRIAL_PLANS: sbx_plan_personal_weekly_usd is also one of PAYPAL_PLANS');
  });

  it('are compared later when PayPal does not respond', async () => {
    sandbox.server.walletFaults.add({ operation: 'GET /v1/billing/plans', kind: 'error', times: 1, status: 429 });
    await sandbox.plans.onApplicationBootstrap();
  });
});
