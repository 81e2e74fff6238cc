import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await factory?.close();
  await api.stop();
});

const RETURN_PATH = '/checkout/return?priceId=x&unlockedExports=3';

async function order(buyer: Customer, name: string, rest: object): Promise<Record<string, string>> {
  const { body } = await buyer.visitor.post('/checkouts', { price_id: price(name), ...rest }).expect(201);
  return body;
}
const form = async (buyer: Customer): Promise<string> =>
  (await order(buyer, 'three_exports_usd', { unlocked_exports: 3 })).client_secret ?? '';
async function page(buyer: Customer): Promise<URL> {
  const pages = api.providers.pagesUrl;
  const { url } = await order(buyer, 'three_exports_usd', { unlocked_exports: 3, return_path: RETURN_PATH });
  expect(url).toContain(pages);
  return new URL(url ?? '');
}
/** @returns status of the response: 303 after a payment */
const payOn = async ({ pathname, searchParams }: URL): Promise<number> => {
  const fields = { ...Object.fromEntries(searchParams), card_number: CARDS.good, action: 'pay' };
  return (await api.http.post(pathname).type('form').send(fields)).status;
};

/** Successful charges of a buyer's cards, in cents. */
async function chargesOf(buyer: Customer): Promise<number[]> {
  const rows = await api.sql<{ cents: number }>(
    `SELECT (o.body ->> 'amount')::int AS cents FROM sandbox.objects o
     JOIN billing_customers b ON b.customer_id = o.body ->> 'customer'
     WHERE o.type = 'charge' AND o.body ->> 'status' = 'succeeded' AND b.user_id = $1`,
    [await buyer.userId()],
  );
  return rows.map(({ cents }) => cents);
}

const refused = async (orderId: string) =>
  (await api.sql('SELECT FROM refused_approvals WHERE provider_id = $1', [orderId])).length === 1;

describe('an order that two payments are open for', () => {
  it('in two tabs with a page each is charged once', async () => {
    const member = await Customer.member(api);
    const tabs = await Promise.all([page(member), page(member)]);
    const statuses = await Promise.all(tabs.map(payOn));
    // Tabs that are opened at the same moment may share a page, which leads back once it is paid.
    expect(statuses).toContain(303);
    await until(async () => (await member.credits()) === 3, 'the purchase');
    expect(await chargesOf(member)).toEqual([999]);
  });

  it('with a page and a form that is later is charged once', async () => {
    const member = await Customer.member(api);
    const { reached, release } = faultsOf(api).holdNextResponse('POST /v1/payment_intents');
    const late = form(member);
    await reached;
    const early = await page(member);
    release();
    const [paid, status] = await Promise.all([member.pay(await late), payOn(early)]);
    expect([paid.status, status]).toEqual(['succeeded', 410]);
    await until(async () => (await member.credits()) === 3, 'the purchase');
    expect(await chargesOf(member)).toEqual([999]);
  });

  it('with a form and a page that is later is charged once', async () => {
    const member = await Customer.member(api);
    const { reached, release } = faultsOf(api).holdNextResponse('POST /v1/checkout/sessions');
    const late = page(member);
    await reached;
    const early = await form(member);
    release();
    const latePage = await late;
    const [paid, status] = await Promise.all([member.pay(early), payOn(latePage)]);
    expect([paid.status, status]).toEqual(['failed', 303]);
    await until(async () => (await member.credits()) === 3, 'the purchase');
    expect(await chargesOf(member)).toEqual([999]);
  });
});

describe("a guest's picture that card and wallet are open for", () => {
  async function both() {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const picture = { client_task_id: taskId, unlocked_exports: 1 };
    const { client_secret: secret = '' } = await order(guest, 'single_export_usd', picture);
    const wallet = await order(guest, 'single_export_usd', { ...picture, provider: 'paypal' });
    return { guest, secret, customId: wallet.custom_id ?? '' };
  }
  const approve = (customId: string) => api.providers.approveOrder({ amountCents: 499, currency: 'usd', customId });
  const statusOf = async (orderId: string) =>
    (await api.sql<{ status: string }>('SELECT status FROM ledger.orders WHERE id = $1', [orderId]))[0]?.status;

  it('is charged to the card that paid first: the order is not captured', async () => {
    const { guest, secret, customId } = await both();
    await controlsOf(api).webhooks('withheld');
    expect((await guest.pay(secret)).status).toBe('succeeded');
    const id = await approve(customId);
    await controlsOf(api).webhooks('sent');
    await until(() => refused(id), 'the refusal');
    expect([await statusOf(id), await guest.credits()]).toEqual(['approved', 1]);
  });

  it('is charged to the wallet that paid first: the card is refused', async () => {
    const { guest, secret, customId } = await both();
    const id = await approve(customId);
    await until(async () => (await guest.credits()) === 1, 'the adoption');
    expect((await guest.pay(secret)).status).toBe('failed');
    expect([await statusOf(id), await guest.credits()]).toEqual(['captured', 1]);
  });

  it('is charged once when both pay at once', async () => {
    const { guest, secret, customId } = await both();
    const [card, id] = await Promise.all([guest.pay(secret), approve(customId)]);
    await until(async () => (await statusOf(id)) === 'captured' || (await refused(id)), 'the decision');
    expect(await statusOf(id)).toBe(card.status === 'succeeded' ? 'approved' : 'captured');
    await until(async () => (await guest.credits()) === 1, 'the grant');
  });
});
