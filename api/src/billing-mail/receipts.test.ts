import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, controlsOf, price } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

interface ReceivedMail {
  readonly subject: string;
  readonly body: string;
}
const mailsTo = (email: string): Promise<ReceivedMail[]> =>
  api.sql<ReceivedMail>('SELECT subject, body FROM mail_messages WHERE recipient = $1 ORDER BY created_at', [email]);
const about = async (email: string, subject: RegExp): Promise<ReceivedMail[]> =>
  (await mailsTo(email)).filter((mail) => subject.test(mail.subject));
const newMember = async () => {
  const email = newEmail();
  return { email, member: await Customer.member(api, { email }) };
};

// First, because plans of later tests would renew as well.
describe('a notice of renewal', () => {
  it('is sent once, thirty days before a yearly renewal, and not for a cancelled plan', async () => {
    const [staying, leaving] = [await newMember(), await newMember()];
    await Promise.all([staying, leaving].map(({ member }) => member.subscribe('business_yearly_usd')));
    await leaving.member.visitor.delete('/stripe/subscriptions').expect(200);
    await advance(api, { days: 364 - 31 });
    expect(await about(staying.email, /renews/)).toEqual([]);
    await advance(api, { days: 2 });
    await until(async () => (await about(staying.email, /renews/)).length > 0, 'the notice');
    await staying.member.visitor.get('/stripe/subscriptions').expect(200);
    expect(await about(staying.email, /renews/)).toHaveLength(1);
    expect((await about(staying.email, /renews/))[0]?.body).toContain('$520.99');
    expect(await about(leaving.email, /renews/)).toEqual([]);
  });
});

describe('a receipt', () => {
  it('is sent once for a purchase', async () => {
    const { email, member } = await newMember();
    await member.confirm(await member.buy()).expect(200);
    await controlsOf(api).deliverEvents();
    const receipts = await about(email, /receipt/i);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.body).toContain('$9.99');
  });

  it('is sent for each charge of a subscription', async () => {
    const { email, member } = await newMember();
    await member.subscribe('personal_weekly_eur');
    await advance(api, { days: 7 });
    await until(async () => (await about(email, /receipt/i)).length === 2, 'the second receipt');
    for (const { body } of await about(email, /receipt/i)) expect(body).toContain('€9.99');
  });

  it('is listed with the charge, whichever provider took it, and only for its payer', async () => {
    const { email, member } = await newMember();
    await member.confirm(await member.buy()).expect(200);
    const charge_id = await member.walletCharge(499, 'usd');
    const charge = { charge_id, amount_cents: 499, currency: 'usd', unlocked_exports: 1 };
    await member.visitor.post('/paypal/charges', charge).expect(201);
    await member.subscribe('personal_weekly_usd', { unlocked_exports: 4 });
    const list = async (query = '') => (await member.visitor.get(`/receipts${query}`).expect(200)).body;
    const { data, has_more } = await list();
    expect(has_more).toBe(false);
    expect(data).toMatchObject([
      { item: 'personal_weekly_usd', amount_cents: 999, provider: 'stripe' },
      { item: 'single_export_usd', amount_cents: 499, provider: 'paypal', refunded_cents: 0 },
      { item: 'three_exports_usd', amount_cents: 999, currency: 'usd', provider: 'stripe' },
    ]);
    const mailed = (await about(email, /receipt/i)).flatMap(({ body }) => /CF-\d{4}-\d{6,}/.exec(body)?.[0] ?? []);
    expect(data.map(({ number }: { number: string }) => number).toSorted()).toEqual(mailed.toSorted());
    const first = await list('?limit=2');
    expect([first.data, first.has_more]).toEqual([data.slice(0, 2), true]);
    expect(await list(`?limit=2&starting_after=${first.data[1].number}`)).toEqual({
      data: data.slice(2),
      has_more: false,
    });
    const { member: stranger } = await newMember();
    expect((await stranger.visitor.get('/receipts').expect(200)).body.data).toEqual([]);
  });

  it('has a number for every charge, including the first one of an upgrade', async () => {
    const { email, member } = await newMember();
    await member.confirm(await member.buy()).expect(200);
    await member.subscribe('personal_weekly_usd', { unlocked_exports: 3 });
    await advance(api, { days: 7 });
    await until(async () => (await about(email, /receipt/i)).length === 3, 'the third receipt');
    const body = { new_price_id: price('business_weekly_usd') };
    await member.visitor.put('/stripe/subscriptions/upgrade', body).expect(200);
    const mails = await about(email, /^Your Clearframe receipt/);
    const numbers = mails.flatMap((mail) => /Receipt number: (CF-\d{4}-\d{6,})$/m.exec(mail.body)?.[1] ?? []);
    expect(numbers).toHaveLength(4);
    expect(new Set(numbers).size).toBe(4);
    const kept = await api.sql<{ number: string; amount_cents: number }>(
      'SELECT number, amount_cents FROM receipts WHERE number = ANY ($1) ORDER BY number',
      [numbers],
    );
    expect(kept.map(({ number }) => number)).toEqual(numbers.toSorted());
    expect(kept.map((receipt) => receipt.amount_cents)).toEqual([999, 999, 999, 1999]);
  });

  it('is not sent for a trial', async () => {
    const { email, member } = await newMember();
    await member.subscribe('personal_weekly_usd', { trial: true });
    expect(await about(email, /receipt/i)).toEqual([]);
  });
});

describe('a mail', () => {
  const inLanguage = (member: Customer, header: string) =>
    member.visitor.get('/users/@me').set('accept-language', header).expect(200);

  it('is in the language last used, including price, plan and date', async () => {
    const { email, member } = await newMember();
    await inLanguage(member, 'ja');
    await inLanguage(member, 'xx, de-AT;q=0.9, en;q=0.8');
    // Unsupported languages change nothing.
    await inLanguage(member, '*');
    await member.subscribe('personal_weekly_eur');
    const [receipt] = await mailsTo(email);
    expect(receipt?.subject).toBe('Dein Beleg von Clearframe');
    expect(receipt?.body).toMatch(/Zahlung von 9,99\u00a0€ am .+\n\nArtikel: Clearframe Privat \(Wöchentlich\)\n/);
    expect(receipt?.body).toMatch(/am \d+\.\s\p{L}+\s20\d\d\./u);
  });

  it('is in the language of the guest who has logged in', async () => {
    const email = newEmail();
    const guest = await Customer.guest(api);
    await inLanguage(guest, 'pt');
    const member = await guest.login(email);
    await member.buy();
    expect((await mailsTo(email))[0]?.body).toContain('Clearframe: 3 downloads');
    expect(await api.sql('SELECT language FROM users WHERE email = $1', [email])).toEqual([{ language: 'pt_BR' }]);
  });
});
