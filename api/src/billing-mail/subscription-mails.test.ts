import { dateFormat } from '@clearframe/contract/dates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, CARDS, Customer, controlsOf, price } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

interface Mail {
  readonly subject: string;
  readonly body: string;
}

async function newMember() {
  const email = newEmail();
  const member = await Customer.member(api, { email });
  const mails = (about: RegExp): Promise<Mail[]> =>
    api
      .sql<Mail>('SELECT subject, body FROM mail_messages WHERE recipient = $1 ORDER BY created_at', [email])
      .then((all) => all.filter(({ subject }) => about.test(subject)));
  return { member, mails };
}
const dateOf = (iso: string): string => dateFormat('en')(new Date(iso));
const runningOf = async (member: Customer) => (await member.visitor.get('/stripe/subscriptions').expect(200)).body;

const TRIAL = /trial has started/;
const FAILED = /didn't go through/;
const CANCELLED = /is canceled/;
const ENDED = /has ended/;
const CHANGED = /plan has changed/;

describe('a mail about a subscription', () => {
  it('announces the start of a trial and when it becomes a paid plan, then its cancellation', async () => {
    const { member, mails } = await newMember();
    await member.subscribe('personal_monthly_usd', { trial: true });
    const { trial_end: end } = await runningOf(member);
    const [started] = await mails(TRIAL);
    for (const text of ['Clearframe Personal (Lunar, 4 weeks)', dateOf(end), '$25.99', '/account/subscription']) {
      expect(started?.body).toContain(text);
    }
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    const [cancelled] = await mails(CANCELLED);
    expect(cancelled?.body).toContain(`until ${dateOf(end)}`);
    await controlsOf(api).deliverEvents();
    expect([(await mails(TRIAL)).length, (await mails(CANCELLED)).length]).toEqual([1, 1]);
  });

  it('reports a failed first payment, with a link to pay by another card', async () => {
    const { member, mails } = await newMember();
    await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    await controlsOf(api).deliverEvents();
    const failed = await mails(FAILED);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.body).toMatch(/\$9\.99 .*\n\n.*http\S+\/subscription\/pay\n/s);
    expect(await mails(/./)).toHaveLength(1);
  });

  it('is sent for each cancellation, and not at the end of a cancelled period', async () => {
    const { member, mails } = await newMember();
    await member.subscribe('personal_weekly_usd');
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await member.visitor.post('/stripe/subscriptions/restart', {}).expect(200);
    await advance(api, { hours: 1 });
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(await mails(CANCELLED)).toHaveLength(2);
    await advance(api, { days: 7 });
    await until(async () => !(await member.me()).monetization.is_subscribed, 'the end of the period');
    await controlsOf(api).deliverEvents();
    expect([(await mails(CANCELLED)).length, (await mails(ENDED)).length]).toEqual([2, 0]);
  });

  it('says how long a cancelled wallet subscription lasts', async () => {
    const { member, mails } = await newMember();
    const subscriptionId = await member.walletSubscription('personal_weekly_usd');
    await member.visitor.post('/paypal/subscriptions', { subscription_id: subscriptionId }).expect(201);
    const { body } = await member.visitor.delete('/paypal/subscriptions').expect(200);
    await controlsOf(api).deliverEvents();
    const cancelled = await mails(CANCELLED);
    expect(cancelled).toHaveLength(1);
    expect(cancelled[0]?.body).toContain(`until ${dateOf(body.cancellation_date)}`);
  });

  it('reports a failed renewal once, and the end of an unpaid subscription', async () => {
    const { member, mails } = await newMember();
    const id = await member.subscribe('personal_weekly_usd');
    await controlsOf(api).failFutureCharges(id);
    await advance(api, { days: 7 });
    await until(async () => (await mails(FAILED)).length > 0, 'the mail about the failed payment');
    await advance(api, { days: 10 });
    await until(async () => (await mails(ENDED)).length > 0, 'the mail about the end');
    await controlsOf(api).deliverEvents();
    expect([(await mails(FAILED)).length, (await mails(ENDED)).length, (await mails(CANCELLED)).length]).toEqual([
      1, 1, 0,
    ]);
  });

  it('reports a change of plan, and the refund with its receipt', async () => {
    const { member, mails } = await newMember();
    await member.subscribe('personal_weekly_usd');
    const receipt = /CF-\S+/.exec((await mails(/^Your Clearframe receipt/))[0]?.body ?? '')?.[0] ?? '?';
    const requested = { new_price_id: price('business_weekly_usd') };
    await member.visitor.put('/stripe/subscriptions/upgrade', requested).expect(200);
    await until(async () => (await mails(CHANGED)).length > 0, 'the mail about the upgrade');
    await controlsOf(api).deliverEvents();
    const [changed, ...rest] = await mails(CHANGED);
    expect(rest).toEqual([]);
    expect(changed?.body).toMatch(/refunded \$9\.9\d for the unused part of Clearframe Personal/);
    expect(changed?.body).toContain(`receipt number ${receipt}`);
    expect([...(await mails(CANCELLED)), ...(await mails(ENDED))]).toEqual([]);
  });

  it('names no refund after a trial', async () => {
    const { member, mails } = await newMember();
    await member.subscribe('personal_weekly_usd', { trial: true });
    const requested = { new_price_id: price('business_weekly_usd') };
    await member.visitor.put('/stripe/subscriptions/upgrade', requested).expect(200);
    await until(async () => (await mails(CHANGED)).length > 0, 'the mail about the upgrade');
    expect((await mails(CHANGED))[0]?.body).not.toContain('refund');
  });
});
