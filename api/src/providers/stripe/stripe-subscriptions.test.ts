import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD, daysAfter } from '../../../test/support/billing/card-payer.js';
import { DAY_SECONDS, newKey, StripeSandbox } from '../../../test/support/billing/stripe-sandbox.js';
import { PaymentDeclined } from '../payment-provider.js';

let sandbox: StripeSandbox;
beforeAll(async () => {
  sandbox = await StripeSandbox.start();
});
afterAll(() => sandbox.stop());

const chargesOf = (id: string) =>
  sandbox.chargesOf(id).then((charges) => charges.filter(({ paid }) => paid).map(({ amount }) => amount));

describe('a subscription', () => {
  it('is charged at once and renews at the end of each period', async () => {
    const reference = randomUUID();
    const begun = await sandbox.subscribe({ price: 'personal_monthly_eur', reference });
    expect(begun).toMatchObject({ status: 'active', reference, paidCents: 2599, currency: 'eur', hasIntro: false });
    expect(begun.id).toMatch(/^sbx_sub_/);
    expect(begun.currentPeriodEnd).toEqual(daysAfter(begun.currentPeriodStart, 28));
    await sandbox.advanceTo(begun.currentPeriodEnd);
    const renewed = await sandbox.read(begun.id);
    expect(renewed).toMatchObject({ status: 'active', currentPeriodStart: begun.currentPeriodEnd, paidCents: 2599 });
    expect(await chargesOf(begun.id)).toEqual([2599, 2599]);
  });

  it('of a year lasts 52 weeks, and its renewal is announced once, 30 days before', async () => {
    const { id, currentPeriodEnd, createdAt } = await sandbox.subscribe({ price: 'business_yearly_usd' });
    expect(currentPeriodEnd).toEqual(daysAfter(createdAt, 364));
    await sandbox.advanceTo(daysAfter(currentPeriodEnd, -31));
    expect(await sandbox.events(id)).not.toContain('invoice.upcoming');
    await sandbox.advanceTo(currentPeriodEnd);
    expect((await sandbox.events(id)).filter((type) => type === 'invoice.upcoming')).toHaveLength(1);
    expect(await chargesOf(id)).toEqual([52099, 52099]);
  });

  it('costs the intro price for a week, then its own', async () => {
    const begun = await sandbox.subscribe({ intro: 'personal_intro_usd' });
    expect(begun).toMatchObject({ status: 'active', hasIntro: true, paidCents: 99 });
    await sandbox.advanceTo(begun.currentPeriodEnd);
    expect(await sandbox.read(begun.id)).toMatchObject({ status: 'active', hasIntro: true, paidCents: 999 });
  });

  it.each([
    ['another price’s intro', { intro: 'business_intro_usd' }],
    ['a price that is not an intro price', { intro: 'personal_monthly_usd' }],
    ['an intro and a trial at once', { intro: 'personal_intro_usd', trialDays: 7 }],
    ['a pack', { price: 'three_exports_usd' }],
    ['an unknown customer', { customerId: 'sbx_cus_none' }],
  ])('is rejected: %s', async (_name, request) => {
    await expect(sandbox.subscribe(request)).rejects.toThrow(/price|exclusive|customer/);
  });

  it('is rejected with a payment method of another customer', async () => {
    const { paymentMethodId } = await sandbox.cardHolder();
    const customerId = await sandbox.customer();
    await expect(sandbox.subscribe({ customerId, paymentMethodId })).rejects.toMatchObject({
      cause: expect.any(Stripe.errors.StripeInvalidRequestError),
    });
  });

  it("uses the running subscription's payment method by default", async () => {
    const holder = await sandbox.cardHolder();
    const first = await sandbox.subscribe(holder);
    const second = await sandbox.subscribe({ customerId: holder.customerId, price: 'business_weekly_usd' });
    expect(second).toMatchObject({ status: 'active', fingerprint: first.fingerprint });
    const list = await sandbox.cards.listSubscriptions(holder.customerId);
    expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe('a trial', () => {
  it('is free, announces its end three days before, then charges the saved card', async () => {
    const begun = await sandbox.subscribe({ trialDays: 7 });
    expect(begun).toMatchObject({ status: 'trialing', paidCents: 0 });
    expect(begun.trialEnd).toEqual(daysAfter(begun.createdAt, 7));
    await sandbox.advance(4 * DAY_SECONDS);
    expect(await sandbox.events(begun.id)).toEqual([
      'customer.subscription.created',
      'customer.subscription.trial_will_end',
    ]);
    expect(await sandbox.read(begun.id)).toMatchObject({ status: 'trialing' });
    await sandbox.advance(3 * DAY_SECONDS);
    expect(await sandbox.read(begun.id)).toMatchObject({
      status: 'active',
      paidCents: 999,
      currentPeriodStart: begun.trialEnd,
    });
    expect((await sandbox.events(begun.id)).slice(2)).toEqual(['customer.subscription.updated', 'invoice.paid']);
  });

  it('without a card ends without a charge', async () => {
    const { id } = await sandbox.subscribe({ customerId: await sandbox.customer(), trialDays: 7 });
    await sandbox.advance(7 * DAY_SECONDS);
    expect(await sandbox.read(id)).toMatchObject({ status: 'canceled', paidCents: 0 });
  });

  it('is neither charged nor announced after cancellation', async () => {
    const { id, trialEnd } = await sandbox.subscribe({ trialDays: 7 });
    await sandbox.cards.setCancelAtPeriodEnd(id, true, newKey());
    await sandbox.advance(7 * DAY_SECONDS);
    expect(await sandbox.read(id)).toMatchObject({ status: 'canceled', endedAt: trialEnd });
    expect(await chargesOf(id)).toEqual([]);
    expect(await sandbox.events(id)).not.toContain('customer.subscription.trial_will_end');
  });

  it('is past due when its charge fails, retried on days 1, 3 and 5, then cancelled', async () => {
    const holder = await sandbox.cardHolder(CARD.chargeFails);
    const { id, trialEnd, createdAt } = await sandbox.subscribe({ ...holder, trialDays: 7 });
    await sandbox.advance(7 * DAY_SECONDS);
    expect(await sandbox.read(id)).toMatchObject({ status: 'past_due', paidCents: 0 });
    const attempts = async () => (await sandbox.chargesOf(id)).map(({ created }) => new Date(created * 1000));
    await sandbox.advance(4 * DAY_SECONDS);
    expect(await sandbox.read(id)).toMatchObject({ status: 'past_due' });
    await sandbox.advance(DAY_SECONDS);
    expect(await attempts()).toEqual([7, 8, 10, 12].map((day) => daysAfter(createdAt, day)));
    expect(await sandbox.read(id)).toMatchObject({ status: 'canceled', endedAt: daysAfter(trialEnd ?? createdAt, 5) });
    expect((await sandbox.events(id)).at(-1)).toBe('customer.subscription.deleted');
    await sandbox.advance(30 * DAY_SECONDS);
    expect(await attempts()).toHaveLength(4);
  });
});

describe('a first charge that fails', () => {
  it('leaves the subscription incomplete for 23 hours', async () => {
    const { id, createdAt } = await sandbox.subscribe(await sandbox.cardHolder(CARD.chargeFails));
    expect(await sandbox.read(id)).toMatchObject({ status: 'incomplete', paidCents: 0 });
    await sandbox.advance(23 * 3600 - 60);
    expect(await sandbox.read(id)).toMatchObject({ status: 'incomplete' });
    await sandbox.advance(60);
    const endedAt = new Date(createdAt.getTime() + 23 * 3600 * 1000);
    expect(await sandbox.read(id)).toMatchObject({ status: 'incomplete_expired', endedAt });
  });

  it('can be paid with another card in that time', async () => {
    const { id } = await sandbox.subscribe({
      ...(await sandbox.cardHolder(CARD.chargeFails)),
      intro: 'personal_intro_usd',
    });
    expect(await sandbox.server.confirmations.payOpenInvoice(id, CARD.declined)).toBe('card_declined');
    expect(await sandbox.server.confirmations.payOpenInvoice(id, CARD.chargeFails)).toBe('card_declined');
    expect(await sandbox.read(id)).toMatchObject({ status: 'incomplete' });
    expect(await sandbox.server.confirmations.payOpenInvoice(id, CARD.succeeds)).toBeNull();
    expect(await sandbox.read(id)).toMatchObject({ status: 'active', paidCents: 99 });
    expect(await sandbox.server.confirmations.payOpenInvoice(id, CARD.succeeds)).toBeNull();
    expect(await chargesOf(id)).toEqual([99]);
  });

  it('creates no subscription with failIfUnpaid, also when repeated', async () => {
    const holder = await sandbox.cardHolder(CARD.chargeFails);
    const key = newKey();
    const reference = randomUUID();
    for (const _ of [1, 2]) {
      const attempt = sandbox.subscribe({ ...holder, failIfUnpaid: true, key, reference });
      await expect(attempt).rejects.toThrow(PaymentDeclined);
    }
    expect(await sandbox.cards.listSubscriptions(holder.customerId)).toEqual([]);
  });

  it('can be voided and is then never charged', async () => {
    const { id } = await sandbox.subscribe(await sandbox.cardHolder(CARD.chargeFails));
    expect(await sandbox.cards.endSubscription(id, newKey())).toMatchObject({ status: 'incomplete_expired' });
    await expect(sandbox.server.confirmations.payOpenInvoice(id, CARD.succeeds)).rejects.toThrow(
      'This subscription has ended',
    );
  });
});

describe('a renewal that fails', () => {
  it('is retried, and continues once the card works', async () => {
    const begun = await sandbox.subscribe();
    await sandbox.server.stripe.failFutureCharges(begun.id);
    await sandbox.advanceTo(begun.currentPeriodEnd);
    expect(await sandbox.read(begun.id)).toMatchObject({ status: 'past_due', paidCents: 0 });
    expect(await sandbox.server.confirmations.payOpenInvoice(begun.id, CARD.succeeds)).toBeNull();
    const recovered = await sandbox.read(begun.id);
    expect(recovered).toMatchObject({ status: 'active', paidCents: 999, currentPeriodStart: begun.currentPeriodEnd });
    await sandbox.advanceTo(recovered.currentPeriodEnd);
    expect(await sandbox.read(begun.id)).toMatchObject({ status: 'active' });
  });
});

describe('cancelling', () => {
  it('takes effect at the end of the period, and can be reverted until then', async () => {
    const { id, currentPeriodEnd } = await sandbox.subscribe();
    const key = newKey();
    const cancelled = await sandbox.cards.setCancelAtPeriodEnd(id, true, key);
    expect(cancelled).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, canceledAt: expect.any(Date) });
    expect(await sandbox.cards.setCancelAtPeriodEnd(id, true, key)).toEqual(cancelled);
    expect(await sandbox.cards.setCancelAtPeriodEnd(id, false, newKey())).toMatchObject({
      cancelAtPeriodEnd: false,
      canceledAt: null,
    });
    await sandbox.cards.setCancelAtPeriodEnd(id, true, newKey());
    await sandbox.advanceTo(currentPeriodEnd);
    expect(await sandbox.read(id)).toMatchObject({ status: 'canceled', endedAt: currentPeriodEnd });
    expect(await chargesOf(id)).toEqual([999]);
    await expect(sandbox.cards.setCancelAtPeriodEnd(id, false, newKey())).rejects.toMatchObject({
      cause: expect.any(Stripe.errors.StripeInvalidRequestError),
    });
  });

  it('at once ends it without a refund, idempotently', async () => {
    const { id } = await sandbox.subscribe();
    const ended = await sandbox.cards.endSubscription(id, newKey());
    expect(ended).toMatchObject({ status: 'canceled', paidCents: 999, endedAt: expect.any(Date) });
    expect(await sandbox.cards.endSubscription(id, newKey())).toEqual(ended);
    expect((await sandbox.events(id)).filter((type) => type.endsWith('deleted'))).toHaveLength(1);
  });
});

describe('a refund', () => {
  it('is at most what was paid for the current period, once for each key', async () => {
    const begun = await sandbox.subscribe();
    await sandbox.advanceTo(begun.currentPeriodEnd);
    const key = newKey();
    expect(await sandbox.cards.refundSubscription(begun.id, 700, key)).toBe(700);
    expect(await sandbox.cards.refundSubscription(begun.id, 700, key)).toBe(700);
    expect(await sandbox.read(begun.id)).toMatchObject({ paidCents: 299 });
    expect(await sandbox.cards.refundSubscription(begun.id, 701, key)).toBe(700);
    expect(await sandbox.cards.refundSubscription(begun.id, 700, newKey())).toBe(299);
    expect(await sandbox.cards.refundSubscription(begun.id, 700, newKey())).toBe(0);
    expect(await sandbox.read(begun.id)).toMatchObject({ status: 'active', paidCents: 0 });
  });

  it('of an intro price is at most that, also after the end', async () => {
    const { id } = await sandbox.subscribe({ intro: 'personal_intro_usd' });
    await sandbox.cards.endSubscription(id, newKey());
    expect(await sandbox.cards.refundSubscription(id, 999, newKey())).toBe(99);
  });

  it('of a trial is zero', async () => {
    const { id } = await sandbox.subscribe({ trialDays: 7 });
    expect(await sandbox.cards.refundSubscription(id, 999, newKey())).toBe(0);
  });

  it('is impossible during a dispute, which emits an event', async () => {
    const { id } = await sandbox.subscribe();
    await sandbox.server.stripe.dispute(id);
    expect(await sandbox.read(id)).toMatchObject({ status: 'active', isDisputed: true });
    expect(await sandbox.cards.refundSubscription(id, 999, newKey())).toBe(0);
  });
});
